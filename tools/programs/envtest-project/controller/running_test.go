// Beside the scaffolded suite, whose environment these specs use: the controller in a manager, and what a cluster does on top of it.
package controller

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"

	fleetv1 "example.com/ferry/api/v1"
)

// Specs with this label need a garbage collector and a namespace controller, which etcd and kube-apiserver alone do not have.
const needsControllers = "needs-controllers"

var _ = Describe("a running controller", Ordered, ContinueOnFailure, func() {
	var namespace string

	BeforeAll(func() {
		mgr, err := ctrl.NewManager(cfg, ctrl.Options{Scheme: scheme.Scheme, Metrics: metricsserver.Options{BindAddress: "0"}})
		Expect(err).NotTo(HaveOccurred())
		Expect((&FerryReconciler{Client: mgr.GetClient(), Scheme: mgr.GetScheme()}).SetupWithManager(mgr)).To(Succeed())
		running, stop := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() { ended <- mgr.Start(running) }()
		DeferCleanup(func() {
			stop()
			Expect(<-ended).To(Succeed())
		})
	})

	BeforeEach(func() {
		made := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "harbour-"}}
		Expect(k8sClient.Create(ctx, made)).To(Succeed())
		namespace = made.Name
	})

	// A Ferry whose ConfigMap has been made.
	sail := func(name string) *fleetv1.Ferry {
		ferry := &fleetv1.Ferry{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}}
		Expect(k8sClient.Create(ctx, ferry)).To(Succeed())
		Eventually(func(g Gomega) {
			g.Expect(k8sClient.Get(ctx, client.ObjectKeyFromObject(ferry), ferry)).To(Succeed())
			g.Expect(meta.IsStatusConditionTrue(ferry.Status.Conditions, "Available")).To(BeTrue())
		}).Should(Succeed())
		return ferry
	}
	timetable := func(name string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: timetableOf(name), Namespace: namespace}}
	}
	isGone := func(object client.Object) func() bool {
		return func() bool { return errors.IsNotFound(k8sClient.Get(ctx, client.ObjectKeyFromObject(object), object)) }
	}

	It("makes a ConfigMap for a Ferry, and makes it again when it is deleted", func() {
		sail("one")
		first := timetable("one")
		Expect(k8sClient.Get(ctx, client.ObjectKeyFromObject(first), first)).To(Succeed())
		Expect(k8sClient.Delete(ctx, first)).To(Succeed())
		Eventually(func(g Gomega) {
			second := timetable("one")
			g.Expect(k8sClient.Get(ctx, client.ObjectKeyFromObject(second), second)).To(Succeed())
			g.Expect(second.UID).NotTo(Equal(first.UID))
		}).Should(Succeed())
	})

	It("the ConfigMap goes with its Ferry", Label(needsControllers), func() {
		Expect(k8sClient.Delete(ctx, sail("one"))).To(Succeed())
		Eventually(isGone(timetable("one"))).Should(BeTrue())
	})

	It("a Ferry that is deleted in the foreground goes, and so does its ConfigMap", Label(needsControllers), func() {
		ferry := sail("one")
		Expect(k8sClient.Delete(ctx, ferry, client.PropagationPolicy(metav1.DeletePropagationForeground))).To(Succeed())
		Eventually(isGone(ferry)).Should(BeTrue())
		// The controller may have made it again meanwhile, from a Ferry in its cache that was not being deleted yet.
		Eventually(isGone(timetable("one"))).Should(BeTrue())
	})

	// Not the controller's own, to which it might give its owner back from a cache that is behind.
	It("a ConfigMap that is orphaned stays without an owner", Label(needsControllers), func() {
		ferry := sail("one")
		orphan := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "orphan", Namespace: namespace}}
		Expect(controllerutil.SetOwnerReference(ferry, orphan, scheme.Scheme)).To(Succeed())
		Expect(k8sClient.Create(ctx, orphan)).To(Succeed())
		Expect(k8sClient.Delete(ctx, ferry, client.PropagationPolicy(metav1.DeletePropagationOrphan))).To(Succeed())
		Eventually(isGone(ferry)).Should(BeTrue())
		Expect(k8sClient.Get(ctx, client.ObjectKeyFromObject(orphan), orphan)).To(Succeed())
		Expect(orphan.OwnerReferences).To(BeEmpty())
	})

	It("a deleted namespace goes with everything in it, and its name is free again", Label(needsControllers), func() {
		ferry := sail("one")
		own := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}
		Expect(k8sClient.Delete(ctx, own)).To(Succeed())
		Eventually(isGone(own)).Should(BeTrue())
		Expect(isGone(ferry)()).To(BeTrue())
		Expect(isGone(timetable("one"))()).To(BeTrue())
		Expect(k8sClient.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}})).To(Succeed())
		sail("one")
	})
})
