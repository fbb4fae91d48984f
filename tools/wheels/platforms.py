"""The platforms and Pythons that wheels are made for: what each is called by compilers, by pip and by Python."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Platform:
    """A system and a processor."""

    name: str
    target: str  # as zig calls it
    tag: str  # as pip calls it
    suffix: str  # of an extension module for one Python, behind `_native.cpython-311`

    @property
    def system(self) -> str:
        """Return `linux`, `macos` or `windows`."""
        return self.target.split("-")[1].split(".")[0]


@dataclass(frozen=True)
class Python:
    """A CPython's interface: one version's, or the stable one from a version on."""

    tag: str
    version: tuple[int, int]
    stable: bool

    @property
    def abi(self) -> str:
        """Return pip's name of it."""
        return "abi3" if self.stable else self.tag


# glibc 2.17 is of 2012, and what numpy's wheels ask for; macOS 11 is the first for arm64.
PLATFORMS = (
    Platform("linux-x86_64", "x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64.manylinux2014_x86_64", "x86_64-linux-gnu"),
    Platform(
        "linux-arm64", "aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64.manylinux2014_aarch64", "aarch64-linux-gnu"
    ),
    Platform("musl-x86_64", "x86_64-linux-musl", "musllinux_1_2_x86_64", "x86_64-linux-musl"),
    Platform("musl-arm64", "aarch64-linux-musl", "musllinux_1_2_aarch64", "aarch64-linux-musl"),
    Platform("macos-x86_64", "x86_64-macos.11.0", "macosx_11_0_x86_64", "darwin"),
    Platform("macos-arm64", "aarch64-macos.11.0", "macosx_11_0_arm64", "darwin"),
    Platform("windows-x86_64", "x86_64-windows-gnu", "win_amd64", "win_amd64"),
)
PYTHONS = (Python("cp311", (3, 11), stable=False), Python("cp312", (3, 12), stable=True))


def module_name(platform: Platform, python: Python) -> str:
    """Return the name under which that Python looks for the extension module."""
    if platform.system == "windows":
        return "_native.pyd" if python.stable else f"_native.{python.tag}-{platform.suffix}.pyd"
    if python.stable:
        return "_native.abi3.so"
    return f"_native.cpython-{python.tag.removeprefix('cp')}-{platform.suffix}.so"
