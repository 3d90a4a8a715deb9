"""The prompt of a reader: one frame for all systems, so that only contexts differ.

See docs/architecture.md, "Reading view".
"""

from __future__ import annotations

INSTRUCTIONS = """\
Below is what is known of an agent's run: its steps in order, each with the action and the \
observation that followed, as logged. Lines in square brackets are notes, not part of the log: \
"not shown" marks steps whose text is left out. Answer the question from the log, briefly. Give \
numbers and step numbers as digits.
"""

EVIDENCE = "Computed over the whole log, exact for what it says it counted:\n"


def prompt(question: str, context: str, evidence: str = "") -> str:
    """Return the prompt for a question.

    Args:
        question: as asked.
        context: the text of a view or of another system.
        evidence: rendered results; without any, the prompts of `tallymem` and `tm` are the same.
    """
    parts = [INSTRUCTIONS, context.rstrip("\n")]
    if evidence.strip():
        parts.append(EVIDENCE + evidence.rstrip())
    parts.append(f"Question: {question.strip()}\nAnswer:")
    return "\n\n".join(parts)
