// Reading of XML.
#pragma once
#include <libxml/parser.h>
#include <libxml/tree.h>
