"""Why a question is not compiled."""


class Refused(Exception):
    """The question is not applicable; the message says why and names the words.

    Raised between the stages of the compiler only: `compile_question` returns a Declined.
    """
