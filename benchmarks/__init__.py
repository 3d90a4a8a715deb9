"""What measures the project and makes its data; not part of the package."""
