# Keeps a CUDA context open that does nothing, until it is killed. While one is open, an NVIDIA GPU keeps its clock up.
# Uses only the driver's library and Python's own modules.
import ctypes
import sys
import time

try:
    cuda = ctypes.CDLL("libcuda.so.1")
except OSError as error:
    sys.exit(f"no CUDA driver: {error}")
device, context = ctypes.c_int(), ctypes.c_void_p()
for status in (
    cuda.cuInit(0),
    cuda.cuDeviceGet(ctypes.byref(device), 0),
    cuda.cuCtxCreate_v2(ctypes.byref(context), 0, device),
):
    if status != 0:
        sys.exit(f"the CUDA driver reports error {status}")
while True:
    time.sleep(60)
