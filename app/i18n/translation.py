"""The language of the interface, set once, before modules with texts are imported."""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from app import i18n

SOURCE = "en"
"""Language of the source texts."""
FILE = "sluice_{language}.qm"


def of_system() -> str:
    """Return the first of the system's preferred languages that Sluice has."""
    wanted = (name.partition("-")[0] for name in QLocale.system().uiLanguages())
    return next((language for language in wanted if language in i18n.LANGUAGES), SOURCE)


def begin(chosen: str, folder: Path) -> str:
    """Set the language, or the system's language if the code is empty or unknown; return the code of the language set.

    Numbers and dates use the same language, so that fields and sentences write digits alike.
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
    translator = QTranslator(application)
    if translator.load(f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(translator)
