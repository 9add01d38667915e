// Declares nothing: the functions of this module replace others in programs that are built with the
// thread sanitizer.
#pragma once
