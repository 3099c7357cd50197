"""Files of pen digits in the UCI set's own format."""

SEGMENT = """
.SEGMENT DIGIT {0}-{1} ? "{label}"
.COMMENT {label} {writer}  151
.PEN_DOWN
{first}
.PEN_UP
.DT 100
.PEN_DOWN
 100  300
 400  300
.PEN_UP
.DT 100
"""


def unipen(digits):
    """A file in the set's format: one digit for each (label, writer), a bar across each."""
    head = '.INCLUDE        dene.doc\n\n.LEXICON "0" "1"\n.HIERARCHY      DIGIT\n'
    return head + "".join(
        SEGMENT.format(
            2 * k, 2 * k + 1, label=label, writer=writer, first=f" {200 + k}  450\n 230  20"
        )
        for k, (label, writer) in enumerate(digits)
    )
