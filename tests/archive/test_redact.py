"""Redaction: nothing personal is stored, JSON stays JSON, and what was replaced is counted."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import pytest

from tallysql.archive.load import load
from tallysql.archive.redact import Redactor
from tallysql.errors import ConflictError, InputError
from tallysql.ledger.mechanical import build

if TYPE_CHECKING:
    from pathlib import Path

    from tallysql.store import Store

GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
GITHUB = GITHUB[:40]
AWS = "AKIA" + "ABCDEFGH12345678"


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("cd /home/ada/mill && ls", "cd /home/user/mill && ls"),
        ("/Users/ada.l/x /Users/ada.l", "/Users/user/x /Users/user"),
        (r"C:\Users\Ada\x", r"C:\Users\user\x"),
        ("~/.claude/projects/-home-ada-mill/s.jsonl", "~/.claude/projects/-home-user-mill/s.jsonl"),
        ("mail ada@mill.example.org now", "mail [email] now"),
        ("a\\nada@mill.org", "a\\n[email]"),
        (f"token={GITHUB}\n", "token=[GitHub Token]\n"),
        (f"key {AWS}.", "key [AWS Access Key]."),
        ("https://ada:s3cret@mill.org/x", "https://ada:[Basic Auth Credentials]@mill.org/x"),
        ("Authorization: Bearer abcdefghij0123456789xyz", "Authorization: Bearer [Bearer Token]"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
            "[Private Key]",
        ),
        ("git@github.com:ada/mill.git", "git@github.com:ada/mill.git"),
        ("https://mill.org/home/page @decorated x@y", "https://mill.org/home/page @decorated x@y"),
        ("/home/user/x", "/home/user/x"),
    ],
)
def test_texts(text: str, stored: str) -> None:
    redactor = Redactor()
    assert redactor.text(text) == stored
    assert bool(redactor.take_counts()) == (text != stored)
    assert redactor.text(stored) == stored, "redacting again changes nothing"


def session(tmp_path: Path) -> Path:
    command = f"cat '/home/ada/a b' && echo {GITHUB} | mail\nada@mill.org"
    lines = [
        {"type": "user", "message": {"role": "user", "content": "I am ada@mill.org"}},
        {
            "type": "assistant",
            "message": {
                "role": "assistant",
                "content": [
                    {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": command}},
                    {
                        "type": "tool_use",
                        "id": "r",
                        "name": "Read",
                        "input": {"file_path": "/home/ada/x.py"},
                    },
                ],
            },
        },
        {
            "type": "user",
            "message": {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "t", "content": "to ada@mill.org"}
                ],
            },
        },
    ]
    path = tmp_path / "s.jsonl"
    common = {"sessionId": "s", "cwd": "/home/ada/mill"}
    path.write_text("".join(json.dumps({**common, **line}) + "\n" for line in lines))
    return path


def test_a_session(store: Store, tmp_path: Path) -> None:
    path = session(tmp_path)
    report = load(store, [str(path)], redact=True, build=build).files[0]
    assert report.redacted == {"GitHub Token": 1, "e-mail address": 3, "home directory": 3}
    tables = ("trajectories", "steps", "ledger", "file_events")
    stored = json.dumps([store.rows(f"FROM {table}") for table in tables], default=str)
    assert "ada" not in stored
    assert GITHUB not in stored
    rows = store.rows("SELECT action, args_json, observation FROM steps ORDER BY step, call")
    assert json.loads(rows[0][1])["command"].startswith("cat '/home/user/a b'")
    assert rows[0][0] == f"Bash: {rows[0][1]}"
    ((path_text, action, start, end),) = store.rows(
        'SELECT path, action, path_span."start", path_span."end" FROM file_events'
        " JOIN steps USING (trajectory_id, step, call)"
    )
    assert action[start:end] == path_text == "/home/user/x.py"


def test_a_redacted_file_is_known_again(store: Store, tmp_path: Path) -> None:
    path = session(tmp_path)
    load(store, [str(path)], redact=True)
    assert load(store, [str(path)], redact=True).files[0].state == "unchanged"
    with pytest.raises(ConflictError):
        load(store, [str(path)])


def test_the_library_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "detect_secrets.plugins.base", None)
    with pytest.raises(InputError, match="detect-secrets") as missing:
        Redactor()
    assert missing.value.hint == 'pip install "tallysql[redact]"'
