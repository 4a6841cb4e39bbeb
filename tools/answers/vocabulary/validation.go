package main

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/validate/content"
	"k8s.io/apimachinery/pkg/util/validation"
)

func init() {
	tables["strings"] = stringChecks
}

// Every string is put to every check: rows hold the sentences of those that object.
func stringChecks() any {
	checks := []struct {
		name  string
		check func(string) []string
	}{
		{"checkDnsLabel", validation.IsDNS1123Label},
		{"checkDnsSubdomain", validation.IsDNS1123Subdomain},
		{"checkDnsSubdomainBytes", content.IsDNS1123Subdomain},
		{"checkDnsLabelBytes", content.IsDNS1123Label},
		{"checkDnsSubdomainCaseless", content.IsDNS1123SubdomainCaseless},
		{"checkDnsSubdomainWithUnderscore", validation.IsDNS1123SubdomainWithUnderscore},
		{"checkDns1035Label", validation.IsDNS1035Label},
		{"checkWildcardDnsSubdomain", validation.IsWildcardDNS1123Subdomain},
		{"checkLabelKey", content.IsLabelKey},
		{"checkLabelValue", content.IsLabelValue},
		{"checkCIdentifier", content.IsCIdentifier},
		{"checkPathSegmentName", content.IsPathSegmentName},
		{"checkPathSegmentPrefix", content.IsPathSegmentPrefix},
		{"checkDecimalInteger", content.IsDecimalInteger},
		{"checkPortName", validation.IsValidPortName},
		{"checkPercent", validation.IsValidPercent},
		{"checkHttpHeaderName", validation.IsHTTPHeaderName},
		{"checkEnvVarName", validation.IsEnvVarName},
		{"checkRelaxedEnvVarName", validation.IsRelaxedEnvVarName},
		{"checkConfigMapKey", validation.IsConfigMapKey},
	}
	values := []string{
		"", "a", "A", "1", "0", "-", ".", "..", "...", "..a", "_", "a-b", "a--b", "-a", "a-", "a.b", "a..b", ".a", "a.", "a_b", "_a", "a_", "_a._b", "1a", "a1", "my-name", "MyName", "MY_NAME", "my.env-name", "a b", " a", "a\n", "a=b", "a:b", "a/b", "a//b", "/a", "a/", "a/b/c", "example.com/name", "Example.com/name", "example.com/", "*.example.com", "*.", "*", "*.*.com", "a.*.com",
		"%", "1%", "93%", "-1%", "1.5%", "100%%", "007", "-0", "-5", "+5", "5.0", "é", "日本", "\u212a", "a\u017f", "\x00", "\x7f", "X-Header-Name", "X_Header", "a%b", "http", "http-alt", "8080", "a2345678901234567", strings.Repeat("a", 15), strings.Repeat("a", 16), strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("é", 40), strings.Repeat("a", 253), strings.Repeat("a", 254), strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 127) + "a",
		"x.io/" + strings.Repeat("a", 63), "x.io/" + strings.Repeat("a", 64), strings.Repeat("a.", 127) + "a/b", "__proto__", "constructor", "\U0001F600",
	}
	// The sentences are long and few: rows name them by their number.
	sentences := []string{}
	number := map[string]int{}
	rows := []any{}
	for _, value := range values {
		problems := map[string][]int{}
		for _, c := range checks {
			for _, sentence := range c.check(value) {
				if _, known := number[sentence]; !known {
					number[sentence] = len(sentences)
					sentences = append(sentences, sentence)
				}
				problems[c.name] = append(problems[c.name], number[sentence])
			}
		}
		rows = append(rows, map[string]any{"value": value, "problems": problems})
	}
	return append([]any{map[string]any{"sentences": sentences}}, rows...)
}
