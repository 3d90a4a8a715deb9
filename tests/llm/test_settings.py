"""Where the settings of models come from, and which of them win."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tallysql.errors import InputError, ModelError
from tallysql.llm.account import Price
from tallysql.llm.settings import DEFAULT_ENDPOINT, read_settings

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """
model = "common"
base-url = "http://file/v1"
judge-model = "strict"
retries = 1

[compile]
model = "small"
max-tokens = 500
request = { chat_template_kwargs = { enable_thinking = false } }

[prices]
common = { input = 0.1, output = 0.3 }
"""


def read(folder: Path, environment: dict[str, str] | None = None, **options: Any) -> Any:
    return read_settings(options, environment or {}, folder)


def test_nothing_is_configured_by_default(tmp_path: Path) -> None:
    settings = read(tmp_path)
    assert settings.base_url == DEFAULT_ENDPOINT
    assert not settings.configured("read")
    with pytest.raises(ModelError, match="no model named to read with") as caught:
        settings.model_for("read")
    assert caught.value.reason == "unconfigured"


def test_a_model_alone_is_not_enough(tmp_path: Path) -> None:
    assert not read(tmp_path, model="m").configured("read")
    assert read(tmp_path, {"OPENAI_API_KEY": "secret"}, model="m").configured("read")
    assert read(tmp_path, {"OPENAI_BASE_URL": "http://x/v1"}, model="m").configured("read")


def test_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "tallysql.toml").write_text(TABLE)
    settings = read(tmp_path)
    assert [settings.model_for(role) for role in ("annotate", "compile", "read", "judge")] == [
        "common",
        "small",
        "common",
        "strict",
    ]
    assert settings.roles["compile"].max_tokens == 500
    assert settings.roles["compile"].request["chat_template_kwargs"] == {"enable_thinking": False}
    assert settings.roles["read"].max_tokens == 12288
    assert settings.prices == {"common": Price(0.1, 0.3)}


def test_a_table_of_pyproject_from_a_folder_below(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.tallysql]\nmodel = "m"\nstream = true\n')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\n")
    assert read(below).model == "m"
    assert read(below).stream


def test_environment_over_file_and_options_over_both(tmp_path: Path) -> None:
    (tmp_path / "tallysql.toml").write_text(TABLE)
    environment = {
        "TALLYSQL_MODEL": "env",
        "TALLYSQL_COMPILE_MODEL": "env-small",
        "OPENAI_BASE_URL": "http://env/v1",
        "OPENAI_API_KEY": "secret",
    }
    settings = read(tmp_path, environment)
    assert settings.model_for("read") == "env"
    assert settings.model_for("compile") == "env-small"
    assert settings.base_url == "http://env/v1"
    settings = read(tmp_path, environment, model="opt", compile_model="opt-small", base_url=None)
    assert settings.model_for("read") == "opt"
    assert settings.model_for("compile") == "opt-small"
    assert settings.base_url == "http://env/v1"


def test_keys_do_not_show(tmp_path: Path) -> None:
    settings = read(tmp_path, {"OPENAI_API_KEY": "secret"})
    assert settings.api_key == "secret"
    assert "secret" not in repr(settings)


@pytest.mark.parametrize("written", ["secret\n", "\tsecret ", "secret\r\n"])
def test_white_space_around_a_key_goes(tmp_path: Path, written: str) -> None:
    assert read(tmp_path, {"OPENAI_API_KEY": written}).api_key == "secret"
    assert read(tmp_path, {"OPENAI_API_KEY": " \n"}).api_key is None


@pytest.mark.parametrize("written", ["sécret", "sec\nret", "sec\0ret", "“secret”"])
def test_a_key_that_cannot_be_sent_is_refused_unseen(tmp_path: Path, written: str) -> None:
    with pytest.raises(InputError, match="field OPENAI_API_KEY: has characters") as caught:
        read(tmp_path, {"OPENAI_API_KEY": written})
    assert "ret" not in caught.value.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("modle = 'm'", "field modle: no such setting"),
        ("api-key = 'x'", "field api-key: no such setting"),
        ("retries = 'many'", "field retries: must be int, not 'many'"),
        ("timeout = true", "field timeout: must be int or float"),
        ("compile = 'm'", "field compile: must be dict"),
        ("[compile]\nmax_token = 3", "field compile.max-token: no such setting"),
        ("[prices]\nm = 3", "field prices.m: must be"),
        ("model = ", "no TOML"),
        ("model = ' '", "field model: must name a model"),
        ("retries = -1", "field retries: must be 0 or more, not -1"),
        ("timeout = 0", "field timeout: must be a number of seconds above 0"),
        ("timeout = -2.5", "field timeout: must be a number of seconds above 0"),
        ("timeout = nan", "field timeout: must be a number of seconds above 0"),
        ("timeout = inf", "field timeout: must be a number of seconds above 0"),
        ("base-url = '127.0.0.1:8000/v1'", "field base-url: must begin with http://"),
        ("base-url = 'ftp://x/v1'", "field base-url: must begin with http://"),
        ("[read]\nmax-tokens = -1", "field read.max-tokens: must be 0 (no limit) or more"),
        ("[read]\nrequest = { stream = true }", "field read.request: must not set model"),
        ("[read]\nrequest = { messages = [] }", "field read.request: must not set model"),
        ("[read]\nrequest = { model = 'x' }", "field read.request: must not set model"),
        ("[prices]\nm = { input = '1', output = 2 }", "field prices.m.input: must be int or"),
        ("[prices]\nm = { input = 1, output = true }", "field prices.m.output: must be int or"),
        ("[prices]\nmy_m = { input = -1, output = 2 }", "field prices.my_m.input: must be an"),
        ("[prices]\nm = { input = -1, output = 2 }", "field prices.m.input: must be an amount"),
        ("[prices]\nm = { input = nan, output = 2 }", "field prices.m.input: must be an amount"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "tallysql.toml").write_text(text)
    with pytest.raises(InputError) as caught:
        read(tmp_path)
    assert message in caught.value.message
    assert "tallysql.toml" in caught.value.message


def test_addresses_are_checked_wherever_they_come_from(tmp_path: Path) -> None:
    for given in ({"base_url": "localhost:1"}, {"environment": {"OPENAI_BASE_URL": "localhost:1"}}):
        with pytest.raises(InputError, match="field base-url: must begin with http"):
            read(tmp_path, **given)


def test_near_names_are_suggested(tmp_path: Path) -> None:
    (tmp_path / "tallysql.toml").write_text("modle = 'm'")
    with pytest.raises(InputError) as caught:
        read(tmp_path)
    assert caught.value.hint == "did you mean model?"
