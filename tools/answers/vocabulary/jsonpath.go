package main

import (
	"bytes"
	"fmt"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/util/jsonpath"
)

func init() {
	tables["jsonpaths"] = jsonPaths
}

const jsonPathData = `{"kind":"List","n":5,"f":1.5,"big":123456789.5,"t":true,"s":"text","e":"","z":null,"a":[],"empty":{},"html":{"<k>":"a&b"},"dotted.key":"d","with space":"w","esc/key":"k","labels":{"kubernetes.io/os":"linux","app":"web"},"one":[7],"nums":[3,1,2,10],"strs":["b","a"],"mixed":[1,"a",true],"nested":[[1,2],[3,4]],"__proto__":"p","ünï":"u",
"items":[{"name":"a","x":1,"ok":true,"f":0.5,"tags":["t1","t2"],"status":{"phase":"Running"}},{"name":"b","x":2,"ok":false,"f":2.5,"tags":[],"status":{"phase":"Pending","reason":"It's \"odd\""}},{"name":"c","x":2,"f":1.5}]}`

// Paths do not walk maps with several members in an order that shows: upstream's order is random.
func jsonPaths() any {
	var data any
	if err := utiljson.Unmarshal([]byte(jsonPathData), &data); err != nil {
		panic(err)
	}
	rows := []any{map[string]any{"data": jsonPathData}}
	for _, template := range []string{
		"", "plain", "{}", "{ }", "{.kind}", "{$.kind}", "{@.kind}", "{$}{.n}", "kind is {.kind}, n is {.n}!", "{.kind}{.n}", "{.kind} {.n}", "{.n}", "{.f}", "{.big}", "{.t}", "{.s}", "{.e}", "{.z}", "{.z.x}", "{.a}", "{.empty}", "{.html}", "{.none}", "{.none.more}", "{.s.x}", "{.n.x}", "{.labels.app}", "{.labels}", "{['kind']}", "{['labels']['app']}", "{.labels['app']}",
		"{.dotted\\.key}", "{['dotted\\.key']}", "{['dotted.key']}", "{.labels.kubernetes\\.io/os}", "{.esc/key}", "{.with\\ space}", "{['with space']}", "{.ünï}", "{.__proto__}", "{.constructor}", "{.\\}", "{.one.*}", "{.nums.*}", "{.s.*}", "{.empty.*}", "{.n.*}",
		"{.nums[0]}", "{.nums[-1]}", "{.nums[-4]}", "{.nums[-5]}", "{.nums[4]}", "{.nums[1:3]}", "{.nums[1:]}", "{.nums[:2]}", "{.nums[:]}", "{.nums[*]}", "{.nums[::2]}", "{.nums[1::2]}", "{.nums[::0]}", "{.nums[::-1]}", "{.nums[2:1]}", "{.nums[1:1]}", "{.nums[0:0]}", "{.nums[-2:]}", "{.nums[:-1]}", "{.nums[-3:-1]}", "{.nums[0:9]}", "{.nums[9:]}", "{.nums[]}", "{.nums[a]}", "{.nums[1:2:3:4]}", "{.nums[99999999999999999999]}", "{.a[0]}", "{.a[*]}", "{.a[:]}", "{.s[0]}", "{.labels[0]}", "{.n[0]}", "{.z[0]}", "{.nested[0][1]}", "{.nested[*][0]}", "{.nested[:][*]}", "{[0]}",
		"{.nums[0,2]}", "{.nums[0, 2]}", "{.nums[ 0 ,2]}", "{['kind','s']}", "{.labels['app','kubernetes\\.io/os']}", "{.nums[0,9]}", "{.nums[,]}", "{.nums[0,]}", "{.nums[0:2,-1]}", "{.items[0,1].name}", "{.items[0]['name','x']}", "{['none','kind']}",
		"{..phase}", "{..name}", "{..x}", "{.items..name}", "{..none}", "{....name}", "{...name}", "{.one..}", "{.strs..}", "{..['phase']}", "{.items[0]..tags[0]}", "{..tags[*]}", "{.nested..[0]}",
		"{.items[?(@.x==2)].name}", "{.items[?(@.x==1)]}", "{.items[?(@.x>1)].name}", "{.items[?(@.x>=1)].name}", "{.items[?(@.x<2)].name}", "{.items[?(@.x<=1)].name}", "{.items[?(@.x!=2)].name}", "{.items[?(@.name=='b')].x}", "{.items[?(@.name==\"b\")].x}", "{.items[?(@.name>'a')].name}", "{.items[?(@.ok==true)].name}", "{.items[?(@.ok)].name}", "{.items[?(@.ok==false)].name}", "{.items[?(@.ok>false)].name}", "{.items[?(@.f>1.0)].name}", "{.items[?(@.f==1.5)].name}", "{.items[?(@.f>1)].name}", "{.items[?(@.x==2.0)].name}", "{.items[?(@.x=='2')].name}", "{.items[?(@.none==1)].name}", "{.items[?(@.none)].name}", "{.items[?(@.status.phase=='Running')].name}", "{.items[?(@.status)].name}", "{.items[?(@.status==1)].name}", "{.items[?(@.status.reason==\"It's \\\"odd\\\"\")].name}", "{.items[?(@.status.reason=='It\\'s \"odd\"')].name}", "{.items[?(@.tags[0]=='t1')].name}", "{.items[?(@.tags[0])].name}", "{.items[?(@.tags[*]=='t1')].name}", "{.items[?(@.x=2)].name}", "{.items[?(@.x=~2)].name}", "{.items[?(@.x===2)].name}", "{.items[?(2==@.x)].name}", "{.items[?(@.x==@.x)].name}", "{.items[?(@.name=='b)')].x}", "{.items[?(@.name=='(b')].x}", "{.items[?( @.name == 'b' )].x}", "{.nums[?(@>2)]}", "{.nums[?(@==10)]}", "{.strs[?(@=='a')]}", "{.strs[?(@!='a')]}", "{.mixed[?(@==1)]}", "{.s[?(@==1)]}", "{.labels[?(@==1)]}", "{.z[?(@)]}", "{.items[?(@.x==2)][?(@.f>1.0)]}", "{.items[?(@.x==2)].name}{.n}", "{.items[?(1==1)].name}", "{.items[?(@.name)].name}", "{.items[?()].name}", "{.items[?(==2)].name}", "{.items[?(@.x==)].name}", "{.items[?(@.x==-2)].name}", "{.items[?(@.x==+2)].name}",
		"{range .items[*]}{.name}{end}", "{range .items[*]}{.name}={.x}{\"\\n\"}{end}", "{range .items[*]}[{.name}, {.x}] {end}", "{range .items[*]}{.name}:{range .tags[*]}{@},{end};{end}!", "{range .a[*]}{.name}{end}done", "{range .items[*]}{.none}{end}", "{range .none[*]}{.name}{end}ok", "{range .items[*]}{.name}", "{end}", "{.n}{end}", "{range .nums[*]}{@} {end}{.n}", "{range .items[0:2]}{.name}{end}{range .nums[*]}{@}{end}", "{range .nested[*]}{range @[*]}{@}{end}|{end}", "{range}{.n}{end}", "{range .n}{@}{end}", "{foo}", "{foo .n}", "{range .items[*]}{.name}{end}{end}",
		"{'quoted'}", "{\"quoted\"}", "{\"a\\tb\"}", "{'a\\'b'}", "{\"a\\'b\"}", "{\"\\u00e9\\x41\\101\"}", "{\"\\u12\"}", "{\"\\q\"}", "{'}'}", "{\"{\"}", "{1}", "{-1}", "{+5}", "{1.5}", "{1.}", "{1.5.5}", "{-}", "{1e3}", "{12345678.5}", "{1000000.0}", "{true}", "{false}", "{truex}", "{99999999999999999999}",
		"{", "{.n", "}", "{}}", "{{.n}}", "{.n}}", "{.items[}", "{.items[0}", "{.items[?(@.x==1}", "{.items[?(@.x==1)}", "{.items[?(@.x=='1)]}", "{'abc}", "{\"abc}", "{#}", "{.n#}", "{!}", "{.n\n}", "{\n.n}", "{.n\t}", "{\t.n}", "{.n.}", "{.}", "{.[0]}", "{.nums.[0]}", "{.items[0].tags}", "{.items[*].name}", "{.items[*].tags[0]}", "{.items[*].ok}", "{.items[*]['name']}", "{.items[*]}", "{.items}", "{ .n }", "{.n .s}", "{.n.s}", "{.kind,.n}", "{.é", "{日}", "{.n}\n{.s}\t",
	} {
		row := map[string]any{"template": template}
		for name, allow := range map[string]bool{"strict": false, "lenient": true} {
			row[name] = runJSONPath(template, data, allow, false)
		}
		row["json"] = runJSONPath(template, data, true, true)
		rows = append(rows, row)
	}
	return rows
}

func runJSONPath(template string, data any, allowMissing, asJSON bool) (result map[string]any) {
	defer func() {
		if problem := recover(); problem != nil {
			result = map[string]any{"panic": fmt.Sprint(problem)}
		}
	}()
	path := jsonpath.New("test").AllowMissingKeys(allowMissing)
	path.EnableJSONOutput(asJSON)
	if err := path.Parse(template); err != nil {
		return map[string]any{"parseError": err.Error()}
	}
	var out bytes.Buffer
	if err := path.Execute(&out, data); err != nil {
		return map[string]any{"error": err.Error()}
	}
	return map[string]any{"printed": out.String()}
}
