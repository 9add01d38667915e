// Reads XML, with libxml2.
#pragma once
// libxml2 would import the types of ICU, which differ from those of Foundation's own ICU. Only
// xmlCharEncodingHandler has members of these types, and no code here accesses them.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/HTMLparser.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
