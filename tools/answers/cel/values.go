package main

import (
	"encoding/hex"
	"fmt"
	"sort"
	"strconv"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// plain writes a value with its type, in a form that any language can compare: ["int", "5"].
func plain(v ref.Val) any {
	switch x := v.(type) {
	case types.Null:
		return []any{"null"}
	case types.Bool:
		return []any{"bool", bool(x)}
	case types.Int:
		return []any{"int", strconv.FormatInt(int64(x), 10)}
	case types.Uint:
		return []any{"uint", strconv.FormatUint(uint64(x), 10)}
	case types.Double:
		return []any{"double", strconv.FormatFloat(float64(x), 'g', -1, 64)}
	case types.String:
		return []any{"string", string(x)}
	case types.Bytes:
		return []any{"bytes", hex.EncodeToString(x)}
	case types.Timestamp:
		return []any{"timestamp", x.Time.UTC().Format(time.RFC3339Nano)}
	case types.Duration:
		return []any{"duration", strconv.FormatInt(int64(x.Duration), 10)}
	case *types.Type:
		return []any{"type", x.TypeName()}
	case *types.Optional:
		if !x.HasValue() {
			return []any{"optional"}
		}
		return []any{"optional", plain(x.GetValue())}
	case traits.Lister:
		out := []any{}
		for it := x.Iterator(); it.HasNext() == types.True; {
			out = append(out, plain(it.Next()))
		}
		return []any{"list", out}
	case traits.Mapper:
		out := [][]any{}
		for it := x.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			out = append(out, []any{plain(key), plain(x.Get(key))})
		}
		sort.Slice(out, func(i, j int) bool { return fmt.Sprint(out[i][0]) < fmt.Sprint(out[j][0]) })
		return []any{"map", out}
	default:
		return []any{"other", v.Type().TypeName(), fmt.Sprint(v.Value())}
	}
}
