package main

import (
	"fmt"
	"strconv"
	"strings"
)

// A family of expressions: each template with each text in the place of T, and with each pair of neighbours in the places of T and U.
type family struct {
	templates []string
	texts     []string
}

var families = []family{
	{
		[]string{
			"url(T)", "isURL(T)", "url(T).getScheme()", "url(T).getHost()", "url(T).getHostname()", "url(T).getPort()",
			"url(T).getEscapedPath()", "url(T).getQuery()", "url(T) == url(U)", "url(T) != url(U)", "format.uri().validate(T)",
		},
		[]string{
			"", "/", "//", "///a", "*", ":", "a", "a:b", "a/b:c", ":80", "?", "#", "/#", "/?", "/??", "/a?b#c", "/a#b?c", "/a?#", "http:", "http://", "http:///", "HTTP://A",
			"https://user:pass@example.com:80/path?query=val#fragment", "https://example.com:80/", "https://[::1]:80/", "https://[::1]/", "https://[::1", "https://::1]/",
			"https://[1.2.3.4]/", "https://[::1%25eth0]:1/", "https://[::1%25e%20t]/", "https://[::1%25%41]/", "https://[::1%]/", "https://[zz]/", "https://a[::1]/", "https://[::1]x/", "https://[::1]:x/",
			"https://a:b:c/", "ftp://a:b:1/", "http://a:1:2/", "../relative-path", "mailto:a@b.c", "mailto:", "mailto:?x=y", "x-y+z.1:/a", "1x:/a", "x_y:/a", "http:/a", "http:a/b",
			"http://a b/", "http://a/b c", "http://a/%", "http://a/%z1", "http://a/%41%2f%2F", "http://a/%e4%BD", "http://%e4%bd%a0/", "http://%41/", "http://a%25b/", "http://a%/", "http://ä/ö?ü=ß#é",
			"http://a/b?c=d&c=e&f&=g&&h=i=j", "http://a/?a%20b=c+d", "http://a/?%zz=1&b=2", "http://a/?a;b=1&c=2", "http://a/?a=%41", "http://a/?q#f%41", "http://a/#%zz", "http://a/#a b",
			"http://u@h/", "http://u:@h/", "http://:p@h/", "http://u%40:p%3a@h/", "http://u[@h/", "http://u@v@h/", "http://a:/", "http://a:0/", "http://a:99999/", "http://a:-1/", "http://a<b>\"/", "http://a^b/",
			"http://a/[x]!$&'()*+,;=:@", "http://a/\"<>^`{|}\\", "/a\tb", "/a\x7fb", "//a/b", "//a:x/b", "/a:b", "file:///etc", "file:/etc", "file://h/etc", "/%2e%2E/../x",
		},
	},
	{
		[]string{
			"ip(T)", "isIP(T)", "ip.isCanonical(T)", "ip(T).family()", "ip(T).isUnspecified()", "ip(T).isLoopback()", "ip(T).isLinkLocalMulticast()",
			"ip(T).isLinkLocalUnicast()", "ip(T).isGlobalUnicast()", "string(ip(T))", "ip(T) == ip(U)", "ip(T) != ip(U)", "cidr('10.0.0.0/8').containsIP(T)", "cidr('fe80::/10').containsIP(ip(T))",
			"cidr('::/0').containsIP(T)", "cidr('0.0.0.0/0').containsIP(T)", "type(ip(T)) == net.IP",
		},
		[]string{
			"", ".", ":", "%", "1", "1.2.3", "1.2.3.4", "1.2.3.4.5", "01.2.3.4", "1.02.3.4", "1.2.3.", ".1.2.3", "1..2.3", "256.1.1.1", "1.2.3.4a", "1.2.3.é", "a.b.c.d", "0.0.0.0", "255.255.255.255",
			"127.0.0.1", "127.255.0.1", "224.0.0.1", "224.0.1.1", "239.1.2.3", "169.254.1.1", "10.1.2.3", "::", "::1", "1::", "::1::", ":::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
			"1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:8::", "::2:3:4:5:6:7:8", "12345::", "1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:7:1.2.3.4", "::1.2.3.4", "::1.2.3", "::1.2.3.04", "1.2.3.4::", "::ffff:1.2.3.4", "::FFFF:102:304",
			"fe80::1%eth0", "fe80::1%", "%eth0", "fe80::1", "FE80::1", "febf::1", "fec0::1", "ff02::1", "ff12::1", "ff05::1", "2001:db8::68", "2001:DB8:0:0:0:0:0:68", "2001:0db8::", "1:0:0:2:0:0:0:3", "1:0:0:2:0:0:3:4", "g::", "1:g::", "1:", "1::x", "1;2",
		},
	},
	{
		[]string{
			"cidr(T)", "isCIDR(T)", "cidr(T).ip()", "cidr(T).masked()", "cidr(T).prefixLength()", "string(cidr(T))", "cidr(T) == cidr(U)", "cidr(T) != cidr(U)", "cidr(T) == cidr(T).masked()",
			"cidr(T).containsCIDR(U)", "cidr(T).containsCIDR(cidr(U))", "cidr(T).containsIP('10.1.2.3')", "cidr(T).containsIP(ip('2001:db8::1'))", "type(cidr(T)) == net.CIDR",
		},
		[]string{
			"", "/", "1.2.3.4", "1.2.3.4/", "1.2.3.4/x", "1.2.3.4/-1", "1.2.3.4/+1", "1.2.3.4/01", "1.2.3.4/00", "1.2.3.4/0", "0.0.0.0/0", "1.2.3.4/33", "1.2.3.4/32", "1.2.3.4/99999999999999999999", "10.0.0.0/8", "10.1.0.0/16", "10.1.2.3/9",
			"10.1.2.0/24/24", "::/0", "::1/128", "::1/129", "2001:db8::/32", "2001:db8::1/33", "fe80::%eth0/10", "::ffff:1.2.3.4/120", "::ffff:0:0/96", "1.2.3/8", "2001:db8::/é", "192.168.0.0/15", "192.168.0.0/16", "192.169.0.0/16",
		},
	},
	{
		[]string{
			"quantity(T)", "isQuantity(T)", "sign(quantity(T))", "quantity(T).isInteger()", "quantity(T).asInteger()", "quantity(T).asApproximateFloat()", "quantity(T).isGreaterThan(quantity(U))",
			"quantity(T).isLessThan(quantity(U))", "quantity(T).compareTo(quantity(U))", "quantity(T) == quantity(U)", "quantity(T) != quantity(U)", "quantity(T).add(quantity(U))", "quantity(T).sub(quantity(U))",
			"quantity(T).add(20)", "quantity(T).sub(-9223372036854775807)", "quantity(T).add(quantity(U)).isInteger()", "quantity(T).add(1) == quantity(U)", "quantity(T) == quantity(U).sub(1)", "quantity(T).sub(quantity(T)).asInteger()",
		},
		[]string{
			"", "0", "1", "-1", "+1", "1.0", "1.5", "0.5", "0.3", "-0.3", "1k", "1K", "1M", "1Mi", "1G", "1Gi", "1Pi", "1Ei", "2Ei", "8Ei", "9Ei", "7Ei", "1E", "10E", "1e3", "1e-3", "1e18", "1e19", "1e30", "1e400", "1E-5", "1n", "1u", "1m", "0.1n", "1.1Ki", "0.5Ki", "1000m", "1024", "1024Ki", "50k", "50000",
			"9223372036854775807", "9223372036854775808", "-9223372036854775808", "123456789012345678", "1234567890123456789", "1.2.3", "Mi", "200K", "Three", "1 ", " 1", "1e", "--1", "0x10", "001", "00.10", ".5", "5.", ".", "1.000000000", "1.0000000001", "12e6", "12Mi", "100000000000000000000",
		},
	},
	{
		[]string{
			"semver(T)", "isSemver(T)", "semver(T, true)", "isSemver(T, true)", "isSemver(T, false)", "semver(T, true).major()", "semver(T).minor()", "semver(T).patch()", "semver(T).isGreaterThan(semver(U))",
			"semver(T).isLessThan(semver(U))", "semver(T).compareTo(semver(U))", "semver(T) == semver(U)", "semver(T) != semver(U)", "semver(T, true).compareTo(semver(U, true))",
		},
		[]string{
			"", "1", "1.2", "1.2.3", "v1.2.3", "v1", "vv1", "1.2.3.4", "01.2.3", "1.02.3", "1.2.03", "00.00.00", "0.0.0", "a.b.c", "1.b.c", "1.2.c", "..", "1..", "1.2.", "-1.2.3", "1.2.3-", "1.2.3+", "1.2.3-a", "1.2.3-a.1", "1.2.3-a.b", "1.2.3-1", "1.2.3-2", "1.2.3-10", "1.2.3-01",
			"1.2.3-a..b", "1.2.3-a_b", "1.2.3+a", "1.2.3+a.b-c", "1.2.3+a..b", "1.2.3+a_b", "1.2.3-a+b", "1.2.3+b-a", "1.2-a", "1-a", "1+a", "v01.02.03-0a", "18446744073709551615.9223372036854775808.1", "18446744073709551616.0.0", "99999999999999999999999.0.0", "1.2.3-99999999999999999999", " 1.2.3", "1.2.3 ", "1.0.0", "2.0.0", "1.10.0", "1.9.0", "1.2.3-é", "0.1.0-alpha.1", "Three", "200K", "0.0.0-0", "001.0",
		},
	},
	{
		[]string{
			"format.dns1123Label().validate(T)", "format.dns1123Subdomain().validate(T)", "format.dns1035Label().validate(T)", "format.qualifiedName().validate(T)", "format.dns1123LabelPrefix().validate(T)", "format.dns1123SubdomainPrefix().validate(T)",
			"format.dns1035LabelPrefix().validate(T)", "format.labelValue().validate(T)", "format.uuid().validate(T)", "format.byte().validate(T)", "format.date().validate(T)", "format.datetime().validate(T)",
			"format.named(T).hasValue()", "format.named(T).optMap(f, f.validate(U).hasValue())", "format.named(T) == format.named(U)", "format.uuid() == format.byte()", "format.uuid() != format.byte()",
		},
		[]string{
			"", "a", "-", "a-", "-a", "A", "a.b", "a.", ".a", "a..b", "a/b", "a/b/c", "/a", "a/", "1a", "a_b", "é", "a.b-", "my-label", "example.com/Name_x.y", "Example.com/x", strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 64) + "-", strings.Repeat("a.", 126) + "a", strings.Repeat("a.", 127) + "a",
			"123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000", "123e4567-e89b-12d3-a456-42661417400", "aGVsbG8=", "aGVsbG8", "aGVs bG8=", "====", "2021-01-01", "2021-02-29", "2020-02-29", "2021-13-01", "21-01-01", "2021-01-01T00:00:00Z", "2021-01-01t00:00:00z",
			"2021-01-01T00:00:00.123+01:00", "2021-01-01T24:00:00Z", "2021-01-01 00:00:00Z", "dns1123Label", "dns1035Label", "labelValue", "uri", "uuid", "datetime", "URI", "DNS1123Label",
		},
	},
	{
		[]string{
			"T.find(U)", "T.findAll(U)", "T.findAll(U, 0)", "T.findAll(U, 1)", "T.findAll(U, 2)", "T.findAll(U, -1)", "T.findAll(U, i)", "T.find('a' + U)", "(T + s).find(U)",
			"T.lowerAscii()", "T.upperAscii()", "T.trim()", "T.substring(1)", "T.substring(0, 2)", "T.replace(U, 'xyz')", "T.replace('a', U)", "T.replace(U, '', 1)", "T.replace('', U)", "T.split(U)", "T.split(U, 2)", "T.split('', -1)", "T.indexOf(U)", "T.lastIndexOf(U)",
			"[T, U].join()", "[T, U].join(T)", "ls.join(T)", "s.replace(T, U)", "s.split(T, i)", "T.replace(s, U)", "(T + s).lowerAscii() + U", "m.a.replace(T, U)", "m['a'].split(T).join(U)", "y.text.trim()", "dyn(T).lowerAscii()", "dyn(T).split(U)", "dyn(T).replace(U, T)",
		},
		[]string{
			"", "a", "abc", "abc 123 def 456", "[0-9]+", "[0-9]*", "xyz", "(", "[", "a|b", "^a", "c$", "(?i)ABC", "é+", "éàé", "\\b", "a{1001}", "\\d+\\s", "  spaced out\t", "MiXeD ÄÖ", ",", "a,b,,c", "aaa", "aa", strings.Repeat("long ", 30), "(a)(b)?",
		},
	},
	{
		[]string{
			"[T, U].isSorted()", "[T, U].min()", "[T, U].max()", "[T, U, T].indexOf(T)", "[T, U, T].lastIndexOf(T)", "[T, U].indexOf(U)", "dyn([T, U]).max()", "dyn([T, U]).isSorted()", "dyn([T, U]).indexOf(U)", "dyn([T, U]).sum()", "[dyn(T), dyn(1)].min()", "ls.indexOf(T)", "(ls + [T]).isSorted()", "(ls + [T, U]).lastIndexOf(U)", "[T, U].map(x, x + T).max()", "[bytes(T), bytes(U)].max()", "[bytes(T), bytes(U)].isSorted()",
		},
		[]string{"", "a", "b", "ab", "é", strings.Repeat("x", 25), "a", "z"},
	},
}

// Lists of other elements than strings, and comparisons across types.
var listElements = []string{
	"1, 2, 3", "3, 1, 2", "1, 1", "-5", "9223372036854775807, 1", "1u, 2u", "2u, 1u", "18446744073709551615u, 1u", "1.5, 2.5", "2.5, -1.0, 0.0", "0.0/0.0, 1.0", "1.0, 0.0/0.0", "true, false", "false, true",
	"duration('1m'), duration('1s')", "duration('1s'), duration('1m')", "timestamp('2020-01-01T00:00:00Z'), timestamp('2019-01-01T00:00:00Z')", "b'ab', b'aa'", "dyn(1), dyn(2.5), dyn(3u)", "dyn(1), dyn('a')", "dyn('a'), dyn(1)", "dyn(1), dyn([1])", "dyn([1]), dyn(1)", "null", "{}", "[1], [2]", "ip('::1'), ip('::2')", "quantity('1'), quantity('1000m')", "i, i", "d, d", "b", "y.int, y.int", "y.text", "",
}

var listTemplates = []string{
	"[L].isSorted()", "[L].sum()", "[L].min()", "[L].max()", "[L].indexOf(1)", "[L].lastIndexOf(1)", "[L].indexOf(dyn(2.0))", "dyn([L]).isSorted()", "dyn([L]).sum()", "dyn([L]).min()", "dyn([L]).max()", "dyn([L]).lastIndexOf(1)", "[[L], [L]].indexOf([L])", "[L].map(x, x).sum()",
}

var mixed = []string{
	"l.sum()", "l.max()", "l.min()", "l.isSorted()", "l.indexOf(1)", "ls.sum()", "ls.max()", "m.sum()", "y.list.sum()", "y.list.max()", "y.list.indexOf('two')", "y.list.isSorted()", "y.indexOf('t')", "s.sum()", "i.sum()",
	"dyn(url('/a')) == 1", "dyn(1) == url('/a')", "dyn(url('/a')) != 1", "dyn(ip('::1')) == 'x'", "dyn(quantity('1')) == null", "dyn(semver('1.0.0')) == quantity('1')", "dyn(cidr('::/0')) == ip('::')", "dyn(format.uri()) == 1", "url('/a') == ip('::1')",
	"url('/a').foo", "dyn(url('/a')).foo", "ip('::1').foo", "dyn(ip('::1')).foo", "kubernetes.URL", "kubernetes.Quantity", "kubernetes.Semver", "kubernetes.NamedFormat", "net.IP", "net.CIDR", "net", "type(url('/a'))", "type(quantity('1'))", "type(semver('1.0.0'))", "type(format.uri())",
	"ip('::1') in [ip('::1')]", "url('/a') in [url('/b'), url('/a')]", "quantity('1') in [quantity('1000m')]", "[quantity('1').add(1)] == [quantity('2')]", "{'a': ip('::1')} == {'a': ip('::1')}", "ip('::1') < ip('::2')", "quantity('1') + quantity('2')", "size(ip('::1'))", "size(dyn(ip('::1')))", "string(quantity('1'))", "string(dyn(quantity('1')))", "string(dyn(ip('::1')))", "dyn(ip('::1')).family()", "dyn(1).family()", "dyn('a').getHost()", "dyn(cidr('::/0')).ip()", "dyn('::1').ip()", "ip(dyn('::1'))", "ip(dyn(1))", "url(dyn(1))", "quantity(1)", "semver('1.0.0', 'x')", "ip(s)", "cidr(s)", "url(s)", "quantity(s)", "semver(s)", "isIP(s) || isCIDR(s) || isURL(s)", "ls.all(x, isIP(x))", "ls.exists(x, url(x).getPort() == '80')", "format.uri().validate(s)", "format.named(s)", "format.nothing()", "format", "cidr('10.0.0.0/8').containsIP(s)", "cidr('10.0.0.0/8').containsCIDR(s)", "cidr('10.0.0.0/8').containsIP(dyn('10.0.0.1'))", "cidr('10.0.0.0/8').containsIP(dyn(ip('10.0.0.1')))", "cidr('10.0.0.0/8').containsCIDR(dyn(1))", "url('/a') == url(s)", "url(s) == url('/a')", "ip(s) == ip(s)", "quantity(s).compareTo(quantity('1'))", "url(s).getQuery()['a'][0]", "url('/?a=b').getQuery()['a'][0]", "url('/?a=b').getQuery().a.join(',')", "'%s'.format([ip('::1')])", "'%s'.format([quantity('1')])", "'%s'.format([url('/a')])", "[ip('::1'), 'a']", "true ? ip('::1') : ip('::2')", "optional.of(ip('::1')).value().family()", "sets.contains([ip('::1')], [ip('::1')])", "[ip('::1'), ip('::1')].distinct()", "[quantity('1'), quantity('2')].sort()", "[url('/a')].map(u, u.getScheme())", "authorizer", "'a'.validate('b')", "quantity('1').sign()", "ip.isCanonical('::1')", "ip.isCanonical(1)", "cidr.isCanonical('::/0')",
}

func libraryExpressions() []string {
	found := append([]string{}, mixed...)
	for _, one := range families {
		for i, text := range one.texts {
			next := one.texts[(i+1)%len(one.texts)]
			for _, template := range one.templates {
				found = append(found, strings.NewReplacer("T", quoteText(text), "U", quoteText(next)).Replace(protect(template)))
			}
		}
	}
	for _, elements := range listElements {
		for _, template := range listTemplates {
			found = append(found, strings.ReplaceAll(template, "[L]", "["+elements+"]"))
		}
	}
	for i := range found {
		found[i] = restore(found[i])
	}
	return found
}

// Names of functions with capitals that would be taken for places of texts.
var names = []string{"isURL", "Unspecified", "LinkLocalUnicast", "GlobalUnicast", "isGreaterThan", "isLessThan", "compareTo"}

func protect(template string) string {
	for i, name := range names {
		template = strings.ReplaceAll(template, name, fmt.Sprintf("\x01%d\x02", i))
	}
	return template
}

func restore(text string) string {
	for i, name := range names {
		text = strings.ReplaceAll(text, fmt.Sprintf("\x01%d\x02", i), name)
	}
	return text
}

func quoteText(text string) string { return strconv.Quote(text) }

// libraries asks all of them; pairs of texts give some more than once.
func libraries() []any {
	rows := []any{}
	seen := map[string]bool{}
	for _, expression := range libraryExpressions() {
		if seen[expression] {
			continue
		}
		seen[expression] = true
		q := question{Expression: expression, Environment: "kubernetes"}
		rows = append(rows, drawn{q, q.answer()})
	}
	return rows
}
