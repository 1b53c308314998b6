"""The language of the interface: chosen once, before what is said is imported."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app import i18n

SOURCE = "en"
"""What the texts are written in."""
FILE = "sluice_{language}.qm"


def of_system() -> str:
    """Return the first language that the user's system asks for and Sluice speaks."""
    wanted = (name.partition("-")[0] for name in QLocale.system().uiLanguages())
    return next((language for language in wanted if language in i18n.LANGUAGES), SOURCE)


def begin(chosen: str, folder: Path) -> str:
    """Speak the chosen language, or the system's if it is empty or unknown; the one that is spoken is given back.

    Numbers and dates follow the language: digits that are written one way in a field and another in a sentence are
    taken for two numbers.
    """
    language = chosen if chosen in i18n.LANGUAGES else of_system()
    translator = QTranslator()
    if language != SOURCE and not translator.load(FILE.format(language=language), str(folder)):
        language = SOURCE
    if language == SOURCE:
        i18n.set_translator(None)
    else:
        i18n.set_translator(lambda text, comment, n: translator.translate("", text, comment, n), language)
    QLocale.setDefault(QLocale(language) if language != SOURCE else QLocale(QLocale.Language.English))
    return language


def translate_qt(application: QCoreApplication, language: str) -> None:
    """Qt's own buttons and dialogs, too."""
    translator = QTranslator(application)
    if translator.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(translator)
