// Reading of XML.
#pragma once
// libxml2 would bring the types of ICU, which differ from those of Foundation's own ICU. They are
// members of xmlCharEncodingHandler alone, which nothing here looks into.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/tree.h>
