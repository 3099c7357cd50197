"""The fixed words of the model card: what is said wherever it is true of the checkpoints."""

INTRODUCTION = """# Checkpoints

Each file is the capsule network of Sabour, Frosst and Hinton, "Dynamic Routing Between Capsules"
(2017), with its config, class names, metrics, data, code version and training command in its
metadata. Weights are stored as float16 and computed with as float32; nothing is ever unpickled:

```python
import capsnet

model = capsnet.load_checkpoint("checkpoints/mnist.safetensors")
```

This page is made from that metadata: `python -m capsnet.model_card checkpoints/*.safetensors`."""

MEASURED = """## Side by side

The errors of the last epoch's averaged weights on the test images of each set, with as many routing
iterations as in training."""

VALIDATION = """*Validation* is the end of the training images, held out of training for choices
that the test images must not make."""

PEN = """*Pen strokes* are digits of the writers held out of training, drawn by
`capsnet.preprocess.from_strokes` as the app draws them."""

DOUBT = """### When the app says "not sure"

A verdict is sure where the longest capsule is at least as long as the first threshold and longer
than the second longest by at least the second one. `python -m capsnet.measure` chose both on every
other picture, of the thresholds that doubt at most 3 % of what is read rightly; the shares below
are of the rest. A blank image is never sure."""

DOUBT_DIGITS = """For digits they are those, of the test images as of the pen strokes, that leave
the fewest drawings sure that are no digits: letters in single-line fonts (those that look like
digits left out) and scribbles, drawn as pen digits are."""

DOUBT_OTHERS = """For other classes, of which no drawing can be said to be none, they are those that
leave the fewest mistakes on the test images sure; pictures of anything else were not asked
about."""

DIGIT_LIMITS = """- One digit a picture, white on black, scaled into a 20 × 20 box and centred by
  mass; `capsnet.preprocess` brings drawings and pictures into this form."""

OTHER_LIMITS = """- A network of anything but digits reads pictures that come as its test images do:
  one thing alone, bright on black, as large and in the same place."""

MNIST_LIMITS = """- `mnist.safetensors` has not seen other ways of writing than MNIST's: it misreads
  crossed sevens, ones with a foot and open fours more often than the table's MNIST column tells."""

LIMITS = """- Each network knows its classes and nothing else: it finds one of them in any
  scribble, sometimes with a long capsule.
- A length is not a probability: they need not add up to 1, and a long capsule can be wrong.
- The test error is measured after every epoch, but no epoch was chosen by it: the last epoch's
  averaged weights are what is shipped. The thresholds above are chosen with pictures of the test
  sets; the verdict itself does not depend on them.
- What a pose's dimension means is not fixed by training; two runs give two different sets."""

CREDITS = {
    "MNIST": "MNIST: Y. LeCun, C. Cortes and C. Burges, CC BY-SA 3.0.",
    "Fashion-MNIST": "Fashion-MNIST: H. Xiao, K. Rasul and R. Vollgraf, Zalando SE, MIT.",
    "KMNIST": "KMNIST: CODH, adapted from NIJL's Kuzushiji Dataset, doi:10.20676/00000341, "
    "CC BY-SA 4.0.",
    "EMNIST digits": "EMNIST: G. Cohen, S. Afshar, J. Tapson and A. van Schaik, from NIST's "
    "Special Database 19.",
}
"""Whose images a set holds, by its title."""

PEN_CREDITS = """Pen strokes: Pen-Based Recognition of Handwritten Digits, E. Alpaydin and F.
Alimoglu, UCI Machine Learning Repository, CC BY 4.0. Letters of the thresholds: A. V. Hershey's
fonts, in the package Hershey-Fonts, MIT."""
