"""Export of an experiment as one HTML file: conclusion, tables, speed curves, texts, conditions."""

from html import escape

from app.experiments.conclusion_text import cautions
from app.experiments.export import CONDITIONS, MEDIANS, SETTING_HEAD, Report, conditions
from app.experiments.metrics import cell, endings, format_plain, heading
from app.experiments.pace import curve, middle
from app.i18n import tr
from app.records.html_export import STYLE, as_text, page
from app.records.html_parts import LETTERS, PLOTS, TABLES, plot, table_of

LOOK = "body { max-width: 64rem }\n"


def as_html(made: Report) -> str:
    outcome, columns = made.outcome, made.table.columns
    plan, title = outcome.plan, as_text(outcome.plan.title)
    parts = [f"<h1>{title}</h1>", f"<p>{as_text(plan.question)}</p>"]
    parts += [f"<p><strong>{as_text(made.conclusion.headline)}</strong></p>"]
    parts += [f"<p>{as_text(each)}</p>" for each in (made.conclusion.further, *cautions(outcome)) if each]
    head = (tr("Variant"), tr("Runs", "Number of runs of the variant"), *map(heading, columns), tr("Ending"))
    pairs = [zip(columns, row.spreads, strict=True) for row in made.table.rows]
    figures = [[cell(*pair) for pair in each] for each in pairs]
    shown = len(made.table.rows) <= len(LETTERS)
    names = [f"{LETTERS[at]}  {row.arm}" if shown else row.arm for at, row in enumerate(made.table.rows)]
    rows = zip(names, made.table.rows, figures, strict=True)
    parts += table_of(head, [(name, str(row.runs), *each, endings(row)) for name, row, each in rows])
    parts += [f"<p>{escape(MEDIANS)}</p>"]
    runs = [outcome.of(arm) for arm in range(len(plan.arms))]
    if shown:
        parts += plot(tr("Speed (tok/s)"), [curve(middle(each)) if each else () for each in runs])
    for detail in made.conclusion.details:
        parts += [f"<h2>{as_text(detail.title)}</h2>"]
        parts += table_of(detail.head, [list(map(format_plain, row)) for row in detail.rows])
    for name, each in zip(names, runs, strict=False):
        if each:
            parts += [f"<h2>{as_text(name)}</h2>", f'<div class="said" dir="auto">{as_text(each[0].text)}</div>']
    parts += [f"<h2>{escape(CONDITIONS)}</h2>", *table_of(SETTING_HEAD, conditions(outcome))]
    return page(title, "\n".join(parts), STYLE + TABLES + PLOTS + LOOK)
