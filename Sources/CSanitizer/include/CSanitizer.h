// Nothing to call: what is here takes effect in programs built with the thread sanitizer.
#pragma once
