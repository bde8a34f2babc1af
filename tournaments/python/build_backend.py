"""Builds a wheel by CMake: the module, the program croupier, and the games and agents of both. pip calls it
(PEP 517); it needs what ./play needs, pybind11-dev and python3-dev."""

import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _version():
    return re.search(r"project\(croupier VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


def _installed(stage):
    """Builds, and installs below that folder."""
    build = ROOT / "build" / f"wheel-{sys.implementation.cache_tag}"
    cmake = ["cmake", "--preset", "release", "-S", ROOT, "-B", build, "-DCROUPIER_TESTS=OFF", "-DCROUPIER_BENCH=OFF",
             f"-DPython3_EXECUTABLE={sys.executable}", "-DCROUPIER_PYTHON_DIR=python"]
    # A build folder that was moved with the tree is of no use.
    if (build / "CMakeCache.txt").exists():
        cmake.insert(1, "--fresh")
    subprocess.run(cmake, check=True, cwd=ROOT)
    subprocess.run(["cmake", "--build", build], check=True)
    for component in ("program", "python"):
        subprocess.run(["cmake", "--install", build, "--prefix", stage, "--component", component, "--strip"], check=True)
    if not (stage / "python").is_dir():
        raise SystemExit("no module for Python was built: install pybind11-dev and python3-dev")


def _place(path, data):
    """Where the file is in the wheel; None if it is left out."""
    first, *rest = path.parts
    if first == "python":
        return pathlib.PurePosixPath(*rest)
    if first == "bin":
        return data / "scripts" / pathlib.PurePosixPath(*rest)
    return None if path.parts[:2] == ("share", "doc") else data / "data" / path


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = _version()
    tag = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    tag = f"{tag}-{tag}-{re.sub('[-.]', '_', sysconfig.get_platform())}"
    info = pathlib.PurePosixPath(f"croupier-{version}.dist-info")
    name = f"croupier-{version}-{tag}.whl"
    record = []
    with tempfile.TemporaryDirectory() as stage, zipfile.ZipFile(
        pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED
    ) as wheel:
        stage = pathlib.Path(stage)
        _installed(stage)

        def add(place, content, mode=0o644):
            entry = zipfile.ZipInfo(str(place))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{place},sha256={digest},{len(content)}")

        for path in sorted(stage.rglob("*")):
            place = _place(path.relative_to(stage), pathlib.PurePosixPath(f"croupier-{version}.data"))
            if place is not None and path.is_file():
                add(place, path.read_bytes(), 0o755 if path.stat().st_mode & 0o100 else 0o644)
        add(info / "METADATA", f"Metadata-Version: 2.1\nName: croupier\nVersion: {version}\n".encode())
        add(info / "WHEEL", f"Wheel-Version: 1.0\nGenerator: croupier\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
        record.append(f"{info}/RECORD,,")
        wheel.writestr(str(info / "RECORD"), "\n".join(record) + "\n")
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("the module is built in its repository: pip install tournaments/python")
