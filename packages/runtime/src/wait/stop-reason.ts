/**
 * Why work ends that its owner stops: `abort(stopReason)`. Without a reason each abort makes a DOMException with a stack, and a test cluster
 * that is stopped aborts hundreds of watches and loops. All share this one, which is an AbortError like those.
 */
export const stopReason: DOMException = new DOMException("This operation was aborted", "AbortError");
