"""Makes small bundles as PyInstaller lays them out, of binaries that hold nothing but what a check reads."""

import plistlib
import struct
from collections.abc import Iterable
from pathlib import Path

from identity import BUNDLE_ID

ARM64, X86_64 = 0x0100000C, 0x01000007


def binary(
    libraries: Iterable[str] = (),
    rpaths: Iterable[str] = (),
    oldest: tuple[int, int] = (14, 0),
    undefined: Iterable[str] = (),
    processor: int = ARM64,
) -> bytes:
    """A library for one processor."""
    commands = [_named(0x0C, 24, name) for name in libraries] + [_named(0x8000001C, 12, name) for name in rpaths]
    commands.append(struct.pack("<IIIIII", 0x32, 24, 1, oldest[0] << 16 | oldest[1] << 8, 0, 0))
    names, symbols = b"\0", b""
    for name in undefined:
        symbols += struct.pack("<IBBHQ", len(names), 0x01, 0, 0, 0)
        names += name.encode() + b"\0"
    at = 32 + sum(map(len, commands)) + 24
    commands.append(struct.pack("<IIIIII", 0x02, 24, at, len(symbols) // 16, at + len(symbols), len(names)))
    head = struct.pack("<4sIIIIIII", b"\xcf\xfa\xed\xfe", processor, 0, 6, len(commands), sum(map(len, commands)), 0, 0)
    return head + b"".join(commands) + symbols + names


def universal(*parts: tuple[int, bytes]) -> bytes:
    """Several in one file."""
    at, table, content = 8 + 20 * len(parts), b"", b""
    for processor, part in parts:
        table += struct.pack(">IIIII", processor, 0, at + len(content), len(part), 0)
        content += part
    return struct.pack(">4sI", b"\xca\xfe\xba\xbe", len(parts)) + table + content


def kernels(major: int, minor: int) -> bytes:
    return struct.pack("<4s8xHH", b"MTLB", major, minor) + bytes(100)


def bundle(folder: Path) -> Path:
    """One without a fault: `folder`/Sluice.app."""
    app = folder / "Sluice.app"
    contents = app / "Contents"
    for name in ("MacOS", "Resources/mlx/lib", "Frameworks/mlx/lib", "Frameworks/QtCore.framework/Versions/A"):
        (contents / name).mkdir(parents=True)
    (contents / "Info.plist").write_bytes(plistlib.dumps(INFO))
    (contents / "Resources" / "sluice.icns").write_bytes(b"icns\0\0\0\x08")
    program = contents / "MacOS" / "Sluice"
    program.write_bytes(binary(["/usr/lib/libSystem.B.dylib"]))
    program.chmod(0o755)
    frameworks = contents / "Frameworks"
    (frameworks / "QtCore.framework" / "Versions" / "A" / "QtCore").write_bytes(binary(["/System/Library/x"]))
    (frameworks / "mlx" / "lib" / "libmlx.dylib").write_bytes(binary(["/usr/lib/libc++.1.dylib"]))
    (frameworks / "libmlx.dylib").symlink_to("mlx/lib/libmlx.dylib")
    (contents / "Resources" / "mlx" / "lib" / "mlx.metallib").write_bytes(kernels(14, 0))
    (frameworks / "mlx" / "lib" / "mlx.metallib").symlink_to("../../../Resources/mlx/lib/mlx.metallib")
    (frameworks / "mlx.metallib").symlink_to("mlx/lib/mlx.metallib")
    (frameworks / "core.so").write_bytes(
        binary(["@rpath/QtCore.framework/Versions/A/QtCore", "@loader_path/libmlx.dylib"], ["@loader_path"])
    )
    return app


INFO = {
    "CFBundleIdentifier": BUNDLE_ID,
    "CFBundleName": "Sluice",
    "CFBundleExecutable": "Sluice",
    "CFBundleIconFile": "sluice.icns",
    "CFBundlePackageType": "APPL",
    "CFBundleShortVersionString": "1.0",
    "CFBundleVersion": "1.0",
    "LSMinimumSystemVersion": "14.0",
    "NSHighResolutionCapable": True,
}


def _named(kind: int, head: int, name: str) -> bytes:
    text = name.encode() + b"\0"
    text += bytes(-len(text) % 8)
    return struct.pack("<III", kind, head + len(text), head).ljust(head, b"\0") + text
