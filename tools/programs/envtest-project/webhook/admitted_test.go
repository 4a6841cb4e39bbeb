// Beside the scaffolded suite, which has no specs until somebody writes one.
package v1

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	fleetv1 "example.com/ferry/api/v1"
)

var _ = Describe("webhooks of a running server", func() {
	named := func(name string) *fleetv1.Ferry {
		return &fleetv1.Ferry{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}}
	}

	It("set defaults", func() {
		Expect(k8sClient.Create(ctx, named("without-speed"))).To(Succeed())
		stored := named("without-speed")
		Expect(k8sClient.Get(ctx, client.ObjectKeyFromObject(stored), stored)).To(Succeed())
		Expect(stored.Spec.Foo).To(HaveValue(Equal("slow")))
	})

	It("refuse what is not valid", func() {
		warp := "warp"
		ferry := named("too-fast")
		ferry.Spec.Foo = &warp
		Expect(k8sClient.Create(ctx, ferry)).To(MatchError(ContainSubstring("ferries do not travel at warp speed")))
	})
})
