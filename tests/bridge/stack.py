"""The stack size of a thread, from the system."""

import ctypes
import sys


def own_stack_bytes() -> int:
    """Return the stack size of the current thread."""
    library = ctypes.CDLL(None)
    library.pthread_self.restype = ctypes.c_void_p
    this = ctypes.c_void_p(library.pthread_self())
    if sys.platform == "darwin":
        library.pthread_get_stacksize_np.restype = ctypes.c_size_t
        return int(library.pthread_get_stacksize_np(this))
    attributes, size = ctypes.create_string_buffer(64), ctypes.c_size_t()
    assert library.pthread_getattr_np(this, attributes) == 0
    library.pthread_attr_getstacksize(attributes, ctypes.byref(size))
    library.pthread_attr_destroy(attributes)
    return size.value
