"""What the Mac is told about the program: its names, its files, why it asks for folders."""

from typing import Any

from identity import NAME, SESSION_SUFFIX, SESSION_TYPE

_FOLDERS = {
    "Documents": "To open models and sessions that you keep in Documents.",
    "Downloads": "To open models and sessions that you keep in Downloads.",
    "Desktop": "To open models and sessions that you keep on the Desktop.",
    "RemovableVolumes": "To open models that you keep on external disks.",
    "NetworkVolumes": "To open models that you keep on network volumes.",
}


def info_plist(version: str, oldest_macos: str) -> dict[str, Any]:
    """What PyInstaller doesn't write by itself."""
    return {
        "CFBundleName": NAME,
        "CFBundleDisplayName": NAME,
        "CFBundleVersion": version,
        "CFBundleDevelopmentRegion": "en",
        "CFBundleAllowMixedLocalizations": True,
        "CFBundleLocalizations": ["en", "ko"],  # Qt's own texts and the system's panels follow it
        "LSMinimumSystemVersion": oldest_macos,
        "LSRequiresNativeExecution": True,
        "LSArchitecturePriority": ["arm64"],
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "NSPrincipalClass": "NSApplication",
        "NSHighResolutionCapable": True,
        "NSRequiresAquaSystemAppearance": False,  # dark where the system is
        "NSHumanReadableCopyright": "MIT licence",
        # Without it macOS asks nobody, and no server of the local network can be reached.
        "NSLocalNetworkUsageDescription": "To use models of servers in your own network.",
        **{f"NS{name}FolderUsageDescription": why for name, why in _FOLDERS.items() if "Volumes" not in name},
        **{f"NS{name}UsageDescription": why for name, why in _FOLDERS.items() if "Volumes" in name},
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "Sluice Session",
                "CFBundleTypeRole": "Editor",
                "LSHandlerRank": "Owner",
                "LSItemContentTypes": [SESSION_TYPE],
            },
            {
                # Lets a model's folder be dropped on the Dock icon, which the rank None would forbid.
                "CFBundleTypeName": "Model Folder",
                "CFBundleTypeRole": "Viewer",
                "LSHandlerRank": "Alternate",
                "LSItemContentTypes": ["public.folder"],
            },
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": SESSION_TYPE,
                "UTTypeDescription": "Sluice Session",
                "UTTypeConformsTo": ["public.json"],
                "UTTypeTagSpecification": {"public.filename-extension": [SESSION_SUFFIX]},
            }
        ],
    }
