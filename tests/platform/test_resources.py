from pathlib import Path

from app.platform.resources import resources_folder


def test_resources_folder_is_next_to_the_package_in_a_checkout() -> None:
    assert (resources_folder() / "models" / "demo" / "config.json").is_file()


def test_resources_folder_is_inside_the_package_in_a_wheel(tmp_path: Path) -> None:
    (tmp_path / "app" / "resources").mkdir(parents=True)
    (tmp_path / "resources").mkdir()  # another package's
    assert resources_folder(tmp_path / "app") == tmp_path / "app" / "resources"
