"""Small git repositories for tests, made by git itself."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada Lovelace",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada Lovelace",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
}


class Checkout:
    """A repository under construction; each commit is a minute after the one before."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.minute = 0
        path.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *arguments: str, author: str = "Ada Lovelace") -> str:
        """Run git and return what it prints."""
        date = f"2024-05-01T10:{self.minute:02}:00+02:00"
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date, "GIT_AUTHOR_NAME": author}
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.path,
            env={**os.environ, **IDENTITY, **dates},
            capture_output=True,
            check=True,
        )
        return done.stdout.decode("utf-8", "replace")

    def commit(
        self, subject: str, author: str = "Ada Lovelace", **files: str | bytes | None
    ) -> None:
        """Write files (None deletes one; __ stands for a slash, _dot_ for a dot) and commit."""
        for key, content in files.items():
            self.write(key.replace("__", "/").replace("_dot_", "."), content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", subject, author=author)
        self.minute += 1

    def write(self, name: str, content: str | bytes | None) -> None:
        """Write a file, or delete it."""
        target = self.path / name
        if content is None:
            target.unlink()
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)


def lived_in(path: Path) -> Checkout:
    """Make a repository with one commit of every sort.

    0 add, 1 modify, 2 empty, 3 rename with a change, 4 merge of a branch, 5 delete, 6 binary,
    7 a link in place of a file, 8 odd names and bytes, 9 nothing but a mode.
    """
    made = Checkout(path)
    settings = 'VERSION = "0.1"\nDEBUG = False  # for now\n'
    made.commit("Start", setup_dot_py=settings, notes_dot_txt="one\ntwo\n", src__a_dot_py="A = 1\n")
    made.commit("Release 0.2", "Grace Hopper", setup_dot_py=settings.replace("0.1", "0.2"))
    made.commit("Nothing\n\nbut a body\n\x01 and odd characters")
    made.git("mv", "src/a.py", "src/b.py")
    made.commit("Rename", notes_dot_txt="one\n2\n")
    made.git("checkout", "--quiet", "-b", "side")
    made.commit("Side work", "Grace Hopper", side_dot_cfg="[x]\nkey = value\n")
    made.git("checkout", "--quiet", "main")
    made.git("merge", "--quiet", "--no-ff", "-m", "Merge side", "side")
    made.commit("Delete", notes_dot_txt=None)
    made.commit("Binary", blob_dot_bin=bytes(range(256)))
    (made.path / "side.cfg").unlink()
    (made.path / "side.cfg").symlink_to("setup.py")
    made.commit("Link")
    late_nul = b"x" * 9000 + b"\nnul \0 and\n\x01commit\nlatin \xe9\r\n"
    made.write('dir/ü \n\t"x".txt', "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n")
    made.commit("Odd", late_dot_txt=late_nul)
    (made.path / "setup.py").chmod(0o755)
    made.commit("Mode")
    return made
