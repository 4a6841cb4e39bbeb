package main

import (
	"hash/fnv"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"
)

func init() {
	tables["regexps"] = regexps
	tables["unicode-classes"] = unicodeClasses
	tables["case-orbits"] = caseOrbits
}

func regexps() any {
	patterns := []string{
		// What CustomResourceDefinitions use.
		`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`, `^(\d+|0|(\d+(\.\d+)?[Ee][+-]?\d+))$`, `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`, `^https?://`, `^v\d+(alpha\d+|beta\d+)?$`, `^$|^\S+$`, `^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`, `^arn:[^:]*:iam::\d{12}:role/.+$`, `\A\w+\z`,
		// Every construct.
		``, `a`, `ab|cd`, `a*`, `a+?`, `(a)(b)?`, `(?P<x>a)(?<y>b)`, `(?i)straße`, `(?i)k`, `(?i)[k-m]`, `(?i)[^k]`, `(?i)ſ`, `(?i)Σ`, `(?-i)a`, `(?i:a)b`, `(?i-s:a.)`, `(?s).`, `.`, `(?m)^a$`, `^a$`, `(?U)a+`, `(?U)a+?`, `a{2}`, `a{2,}`, `a{1,3}?`, `a{0}`, `a{0,1}`, `(a{2}){2}`, `\bfoo\b`, `\Boo`, `[[:alpha:]]+`, `[[:^digit:]]`, `[^a]`, `[]a]`, `[a-]`, `[-a]`, `[a\-z]`, `[\d\s]`, `[\D]`, `[\pL\d]`, `\pN+`, `\p{Greek}+`, `\P{Greek}`, `\p{^Greek}`, `\P{^Greek}`, `(?i)\p{Lu}`, `(?i)\P{Lu}`, `\p{Any}`, `\p{L}\p{Nd}`, `\p{uppercase letter}`, `\x41\x{1F600}`, `\101\07`, `\Qa.b\E.`, `\Qa.b`, `\Q\E*a`, `\.\*\_\-`, `\a\f\t\n\r\v`, `(|a)*`, `(a|)+`, `(a*)*`, `(a*)+?`, `(?:)*`, `^*`, `$?`, `\b*`, `(?i)*a`, `a**`, `a*(?i)*`, `a{,2}`, `a{2`, `a{02}`, `a{2,1}`, `a{1001}`, `a{1000}`, `(a{100}){11}`, `(a{10}){100}`, `a{99999999999}`, `{`, `}`, `]`, `x{a}`, `日本+`, `[日-本]`, `😀+`, `[😀-😎]`, `\z$\A^`, `a|b|`, `|`, `(a|b)*c|(a|ab)*c`, `(?:(?:a|b)|c)`, `[[:word:][:space:]]`, `[a-c-e]`, `[^\n]`, `[^\x00-\x{10FFFF}]`,
		// Errors.
		`(`, `)`, `a)`, `(a`, `(?`, `(?a)`, `(?i`, `(?i-`, `(?i-)`, `(?-)`, `(?--i)`, `(?i--s)`, `(?P<n>`, `(?P<n`, `(?P<>a)`, `(?P<n-m>a)`, `(?P=n)`, `(?<`, `(?P<`, `(?=a)`, `(?!a)`, `(?<=a)`, `(?<!a)`, `(?>a)`, `(?#c)`, `(?'n'a)`, `*`, `+a`, `?`, `(*)`, `a|*`, `(|*)`, `a***`, `a+*`, `a??*`, `a{2}*`, `a*{2}`, `a{1}{2}`, `[`, `[a`, `[^`, `[]`, `[^]`, `[z-a]`, `[a-\d]`, `[\d-a]`, `[[:foo:]]`, `[[:alpha:`, `[[:alpha:]`, `[:alpha:]`, `\`, `a\`, `[\`, `\1`, `\8`, `\18`, `\C`, `\Z`, `\G`, `\K`, `\q`, `\é`, `\x`, `\x4`, `\xgg`, `\x{`, `\x{}`, `\x{110000}`, `\x{g}`, `\x{41`, `[\b]`, `[\Q]`, `[\A]`, `\p`, `\p{`, `\p{}`, `\p{Foo}`, `\pX`, `\p{^}`, `\p{Old_Italic}`, `\u0041`, `\cA`, `\h`, `\R`, `\X`, `(?x)a`, `(?u)a`,
		strings.Repeat("(", 1001) + strings.Repeat(")", 1001), strings.Repeat("(?:", 1500) + "a" + strings.Repeat(")", 1500),
	}
	values := []string{"", "a", "aa", "aaaa", "ab", "abc", "cd", "b", "k", "K", "\u212a", "STRASSE", "straße", "STRAẞE", "s", "ſ", "σ", "ς", "a\nb", "a\n", "\n", "foo", "foo bar", "xfoo", "a.b", "a.bc", "web-1.example.com", "-web", "1.5e10", "1h30m", "https://x", "v1beta1", "x y", "YWI=", "arn:aws:iam::123456789012:role/r", "Ω1", "αβγ", "é", "日本本", "😀😀x", "\x00\x07", "{", "}", "]", "-", "a-z", "123", " \t", "A", "Aa", "_", strings.Repeat("a", 1000), "a{,2}", "x{a}", "a{2"}
	rows := []any{map[string]any{"values": values}}
	for _, pattern := range patterns {
		row := map[string]any{"pattern": pattern}
		compiled, err := regexp.Compile(pattern)
		if err != nil {
			row["error"] = err.Error()
		} else {
			row["names"] = compiled.SubexpNames()
			// All matches of the values that have one.
			found := map[int][][]int{}
			for i, value := range values {
				if all := compiled.FindAllStringSubmatchIndex(value, 4); all != nil {
					found[i] = inUnits(value, all)
				}
			}
			row["found"] = found
		}
		rows = append(rows, row)
	}
	return rows
}

// inUnits counts UTF-16 units in place of bytes.
func inUnits(text string, all [][]int) [][]int {
	for _, match := range all {
		for i, at := range match {
			if at < 0 {
				continue
			}
			units := 0
			for _, r := range text[:at] {
				units++
				if r > 0xffff {
					units++
				}
			}
			match[i] = units
		}
	}
	return all
}

// unicodeClasses holds how many characters each class has, and a sum of them. Halves of pairs are in no text.
func unicodeClasses() any {
	names := []string{"Any", "ASCII", "Assigned", "LC"}
	for name := range unicode.Categories {
		names = append(names, name)
	}
	for name := range unicode.Scripts {
		names = append(names, name)
	}
	rows := []any{}
	for _, name := range sorted(names) {
		for _, form := range []string{`\p{` + name + `}`, `(?i)\p{` + name + `}`} {
			parsed, err := syntax.Parse(form, syntax.Perl)
			if err != nil {
				continue
			}
			matches := func(r rune) bool { return false }
			switch parsed.Op {
			case syntax.OpAnyChar:
				matches = func(r rune) bool { return true }
			case syntax.OpCharClass:
				class := parsed.Rune
				matches = func(r rune) bool {
					for i := 0; i < len(class); i += 2 {
						if r >= class[i] && r <= class[i+1] {
							return true
						}
					}
					return false
				}
			default:
				// A class of one character.
				class := parsed.Rune
				matches = func(r rune) bool { return len(class) > 0 && r == class[0] }
			}
			count, sum := 0, fnv.New32a()
			for r := rune(0); r <= unicode.MaxRune; r++ {
				if (r < 0xd800 || r > 0xdfff) && matches(r) {
					count++
					sum.Write([]byte{byte(r), byte(r >> 8), byte(r >> 16)})
				}
			}
			rows = append(rows, []any{form, count, sum.Sum32()})
		}
	}
	return rows
}

// caseOrbits holds the letters that are equal when case does not count, as texts.
func caseOrbits() any {
	rows := []any{}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		orbit := []rune{r}
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			orbit = append(orbit, other)
		}
		first := true
		for _, other := range orbit {
			first = first && other >= r
		}
		if first && len(orbit) > 1 {
			rows = append(rows, string(orbit))
		}
	}
	return []any{strings.Join(toStrings(rows), " ")}
}

func toStrings(values []any) []string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = value.(string)
	}
	return texts
}
