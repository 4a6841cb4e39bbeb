package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"unicode"
)

func init() {
	tables["unicode-15"] = unicodeFacts
}

// unicodeFacts is a TypeScript file, not a table.
func unicodeFacts() any {
	sizes := []string{}
	known := false
	size := int64(0)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.Is(unicode.Cn, r) != known {
			sizes = append(sizes, strconv.FormatInt(size, 36))
			known = !known
			size = 0
		}
		size++
	}
	if known {
		sizes = append(sizes, strconv.FormatInt(size, 36))
	}
	scripts := []string{}
	for name := range unicode.Scripts {
		// The parser folds names so that none with an underscore is ever found.
		if canonical := strings.ToUpper(name[:1]) + strings.ToLower(name[1:]); canonical == name && !strings.Contains(name, "_") {
			scripts = append(scripts, name)
		}
	}
	sort.Strings(scripts)
	aliases := []string{}
	for alias, category := range unicode.CategoryAliases {
		bare := strings.ReplaceAll(alias, "_", "")
		aliases = append(aliases, strings.ToUpper(bare[:1])+strings.ToLower(bare[1:])+"="+category)
	}
	sort.Strings(aliases)
	return fmt.Sprintf(`// Made by tools/answers/vocabulary; see README.md beside this file.

/** Gaps between and lengths of the ranges of assigned characters, alternately, in base 36. */
export const assigned =
  %q;

/** Scripts that Go's parser finds by name. */
export const scripts =
  %q;

/** Other names of categories. */
export const aliases =
  %q;
`, strings.Join(sizes, " "), strings.Join(scripts, " "), strings.Join(aliases, " "))
}
