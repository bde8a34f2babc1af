# Toolchain: g++ for AArch64 on Debian, tests under qemu. The libraries are those of the architecture
# arm64, installed beside the machine's own; .ci/aarch64 sees to them.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
# The machine's own would be found, and is of the wrong kind.
set(CMAKE_DISABLE_FIND_PACKAGE_MPI ON)
