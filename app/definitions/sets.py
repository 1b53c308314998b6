"""What is told of many prompts, by the names in the tables."""

from __future__ import annotations

from app.definitions.types import Definition
from app.words import tr

SETS = {
    "rate": Definition(tr("Rate (%)"), tr("Of the rows that could be judged, the share that an arm answered rightly.")),
    "interval": Definition(
        tr("Interval"),
        tr("Where the rate, or the difference, lies with 95 % certainty if the rows stand for all such prompts."),
    ),
    "set_difference": Definition(
        tr("Difference (points)"),
        tr("The second arm's rate less the first's, over the rows that both arms answered."),
    ),
    "set_chance": Definition(
        tr("Chance"),
        tr("How often arms that are alike would differ so much by chance alone, corrected for all pairs of the study."),
    ),
}
