"""What has been published about routing, for and against, beside what a survey measured here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.wording import a
from capsnet.analysis.survey import DEAD, DECIDED, RoutingSurvey, sign_test
from capsnet.survey import STRETCH, TURN

if TYPE_CHECKING:
    from collections.abc import Callable

MOSTLY = 0.5  # a capsule that is dead in more of the images than this counts as dead


@dataclass(frozen=True)
class Source:
    """A paper.

    Args:
        authors: As they are cited, with the year.
        arxiv: Its number there.
    """

    authors: str
    arxiv: str

    @property
    def link(self) -> str:
        """A Markdown link to it."""
        return f"[{self.authors}, arXiv {self.arxiv}](https://arxiv.org/abs/{self.arxiv})"


@dataclass(frozen=True)
class Claim:
    """What was published, and what the survey says to it, both in Markdown.

    Args:
        title: In a few words.
        sources: Who says it.
        says: What they say.
        here: What this network does; empty without a survey.
    """

    title: str
    sources: tuple[Source, ...]
    says: str
    here: str = ""


def claims(
    routing: RoutingSurvey | None, moved: RoutingSurvey | None, noun: str = "digit"
) -> list[Claim]:
    """The published evidence, each claim with what was measured here.

    Args:
        routing: A survey of the test set as it is; None where there is none.
        moved: One of the test set turned, sheared and scaled.
        noun: What the classes are.
    """
    return [
        Claim(
            "For: three iterations beat one",
            (Source("Sabour, Frosst, Hinton 2017", "1710.09829"),),
            "Table 1: networks *trained* with one iteration of routing misread 0.29 % of MNIST's "
            "test images, those trained with three 0.25 % (means of three runs, with "
            "reconstruction). Without reconstruction it is 0.34 % against 0.35 %.",
            _say(_one_against_three, routing),
        ),
        Claim(
            "Against: routing sharpens links, not answers",
            (Source("Paik, Kwak, Kim 2019", "1907.13327"),),
            "In most cases the five routing algorithms compared left the verdict as it was and "
            "polarised the links, to extremes where they did not stop; links of equal or random "
            "strength often did better.",
            _polarising(routing, noun) if routing else "",
        ),
        Claim(
            "Against: couplings stay nearly equal",
            (Source("Zhao, Kleinhans, Sandhu, Patel, Unnikrishnan 2019", "1903.09662"),),
            "The softmax narrows the range of the couplings: after several iterations they are "
            "still mostly uniform. Their max–min normalisation lets couplings differ more.",
            _uniform(routing, noun) if routing else "",
        ),
        Claim(
            "Against: routing is nearly static, and capsules starve",
            (Source("Mitterreiter, Koch, Giesen, Laue 2023", "2301.01583"),),
            "No parse tree emerges that would depend on the image: which capsule goes where is "
            "nearly the same for all. Gradients vanish, and many capsules starve in training.",
            _say(_static, routing),
        ),
        Claim(
            "Against: no help when the image is turned or stretched",
            (
                Source("Gu, Tresp 2019", "1911.07968"),
                Source("Gu, Tresp, Hu 2021", "2103.15459"),
            ),
            "Trained with and without it, networks show that routing adds neither to "
            "generalisation nor to robustness against affine changes; in later ablations dynamic "
            "routing even harmed robustness.",
            _say(_affine, moved),
        ),
    ]


def _say(words: Callable[[RoutingSurvey], str], survey: RoutingSurvey | None) -> str:
    return words(survey) if survey else ""


def _one_against_three(survey: RoutingSurvey) -> str:
    r = survey.trained
    return (
        f"Trained with r = {r}, it misreads **{_errors(survey, 1)}** after 1 iteration and "
        f"**{_errors(survey, r)}** after {r}. {_change(survey, 1)} This asks one network twice; "
        "the paper trained one for each r."
    )


def _polarising(survey: RoutingSurvey, noun: str) -> str:
    last, r = len(survey.errors), survey.trained
    return (
        f"No number of iterations from 1 to {last} changes more than **{survey.changed.max()}** of "
        f"the {survey.count:,} verdicts. After {last} it misreads **{_errors(survey, last)}**. "
        f"{_change(survey, last)} Links sharpen slowly: a capsule's largest coupling grows from "
        f"{survey.largest[0]:.3f} to {survey.largest[r - 1]:.3f} after {r} iterations and "
        f"{survey.largest[-1]:.3f} after {last}, where {_percent(survey.decided[-1], 2)} give more "
        f"than {_percent(DECIDED)} to one {noun}."
    )


def _uniform(survey: RoutingSurvey, noun: str) -> str:
    r, equal = survey.trained, 1 / len(survey.class_counts)
    return (
        f"After {r} iterations couplings have **{survey.entropy[r - 1]:.3f} of "
        f"{-math.log2(equal):.3f} bits** of entropy ({survey.entropy_weighted[r - 1]:.3f} weighted "
        f"by the votes' lengths); a capsule's largest is {survey.largest[r - 1]:.3f} on average, "
        f"equal ones are {equal:.3f}. Yet many small shifts add up: the longest {noun} capsule "
        f"grows from {survey.longest[0]:.2f} to {survey.longest[r - 1]:.2f} on average."
    )


def _static(survey: RoutingSurvey) -> str:
    whole = survey.departure or 1
    same, of_class, rest = (part / whole for part in (survey.static, survey.between, survey.within))
    dead = int((survey.dead > MOSTLY).sum())
    return (
        f"Of what makes couplings differ from equal ones after {survey.trained} iterations (mean "
        f"square), {_percent(same)} is the same for all images, **{_percent(of_class)} follows the "
        f"class** and {_percent(rest)} differs between images of a class. **{dead or 'None'} of "
        f"the {len(survey.dead):,} primary capsules** {'are' if dead > 1 else 'is'} dead, shorter "
        f"than {DEAD}, in most images: their mean length is {survey.length.mean():.2f}. (The "
        "argument is about capsule layers between others; this network has none.)"
    )


def _affine(survey: RoutingSurvey) -> str:
    r = survey.trained
    return (
        f"Every test image turned by {TURN:.0f}°, sheared and made larger or smaller by "
        f"{_percent(STRETCH)}, it misreads **{_errors(survey, 1)}** after 1 iteration and "
        f"**{_errors(survey, r)}** after {r}. {_change(survey, 1)} Here, too, one network is "
        "asked twice."
    )


def about_verdicts(survey: RoutingSurvey, noun: str = "digit", *, paper: bool = True) -> str:
    """What the figures over the iterations show; `paper`: whether its networks stand beside."""
    theirs = "◇ are the paper's networks, each trained with the r under which it stands. "
    return (
        f"One network, trained with r = {survey.trained} and asked with 1 to {len(survey.errors)} "
        f"iterations, over {survey.count:,} images. {theirs if paper else ''}From 1 to "
        f"{len(survey.errors)} iterations the longest {noun} capsule grows from "
        f"{survey.longest[0]:.2f} to {survey.longest[-1]:.2f}, and the second longest from "
        f"{survey.second[0]:.2f} to {survey.second[-1]:.2f}."
    )


def about_capsules(survey: RoutingSurvey, grid: int) -> str:
    """What the maps of the primary capsules show."""
    counts = survey.length_counts
    shortest = int(counts.nonzero()[0][0]) / len(counts)
    found = f"All of the {counts.sum():,} lengths are at least {shortest:.2f}."
    return (
        f"Each map is one type of primary capsule over its {grid} × {grid} places. A capsule "
        f"counts as dead in an image where it is shorter than {DEAD}. {found} There is another way "
        "to be of no use: to say the same of every image. How much a capsule varies is the share "
        "of its mean ‖u‖² that does not lie in its mean vector; 0 is always the same."
    )


def about_couplings(survey: RoutingSurvey, digit: int, name: str) -> str:
    """What the maps of the couplings to one digit show."""
    mean, spread = survey.own_mean[digit], survey.own_variance[digit] ** 0.5
    away = abs(mean - 1 / len(survey.class_counts))
    share = float((away > spread).mean())
    return (
        f"How much of each primary capsule goes to {name} after {survey.trained} iterations, where "
        f"the image is {a(name)}, and how much that differs between these "
        f"{survey.class_counts[digit]:,} images. In {_percent(share)} of the capsules the mean is "
        "farther from an equal share than an image usually is from the mean (standard deviation)."
    )


def _errors(survey: RoutingSurvey, iterations: int) -> str:
    return _percent(survey.errors[iterations - 1] / survey.count, 2)


def _change(survey: RoutingSurvey, iterations: int) -> str:
    """How the verdicts differ from those at r, and whether chance alone could do that."""
    changed, better, worse = (
        int(counts[iterations - 1]) for counts in (survey.changed, survey.better, survey.worse)
    )
    if not changed:
        return "Not one verdict differs."
    chance = sign_test(better, worse)
    cases = f"{_percent(chance) if chance >= 0.01 else f'less than {_percent(0.01)}'} of the cases"
    return (
        f"The two differ on {changed:,} images: after {iterations} it is right on {better:,} of "
        f"them, after {survey.trained} on {worse:,}; tossed coins split as unevenly in {cases}."
    )


def _percent(share: float, digits: int = 0) -> str:
    """A share 0…1 as "0.44 %", which no line's end parts."""
    return f"{100 * share:.{digits}f}\N{NO-BREAK SPACE}%"
