"""The model reader: one prompt, one answer (paper, section 5).

Prompts come from `tallysql.answering.prompt`, the same frame for all systems; where no evidence is
attached, the prompts of `tallymem` and `tm` are equal byte for byte, and so the kept reply to one
answers the other. See docs/architecture.md, "Model path".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tallysql.answering.prompt import prompt

if TYPE_CHECKING:
    from tallysql.llm.chat import Reply
    from tallysql.llm.models import Models


def read_with_model(question: str, context: str, evidence: str, models: Models) -> Reply:
    """Ask the role `read` a question over a context, with evidence where there is any.

    Raises:
        ModelError: no model, or the call failed.
    """
    return models.complete(models.request("read", prompt(question, context, evidence)))
