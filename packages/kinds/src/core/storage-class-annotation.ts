/** Where the class of a volume or claim stood before it had a field; it is still read first. */
export const storageClassAnnotation = "volume.beta.kubernetes.io/storage-class";
