"""The release's number, for modules below the package's top."""

VERSION = "0.1.0"
