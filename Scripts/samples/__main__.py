#!/usr/bin/env python3
"""Writes the sample library into Web/library.

Usage: /usr/bin/python3 Scripts/samples [folder]
Pages that are drawn by hand (the covers, and two spreads of The Night Ferry) stay unchanged.
"""
import os
import sys

import atlas
import ferns
import ferry_pages
import music
import onion
import rivet
import small

BOOKS = [ferry_pages, rivet, small, atlas, ferns, onion, music]

if __name__ == '__main__':
    home = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(home, 'Web', 'library')
    for book in BOOKS:
        book.make(root)
