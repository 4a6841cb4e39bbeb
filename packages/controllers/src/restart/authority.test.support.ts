// Of a P-256 key, made with openssl: the subject is CN=test, valid for a hundred years.
/** A certificate of an authority, as PEM. */
export const authorityCertificate =
  "-----BEGIN CERTIFICATE-----\nMIIBdjCCARugAwIBAgIUdu9TaxpOkCnB+NN6RQeakysoW+EwCgYIKoZIzj0EAwIw\nDzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMTcwOTA0MDdaGA8yMTI2MTAyNDA5MDQw\nN1owDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJLJ\nelbghVnJV07c36ToI/+HPFvgZW5iUNFw0dzT7kNGVeJLGqpvl/+A7XTCuytziKYT\ne0GEGfrPnkZR9KnnDNqjUzBRMB0GA1UdDgQWBBTKbnrO4k8AHFo6AkvISCIjQF4/\nbzAfBgNVHSMEGDAWgBTKbnrO4k8AHFo6AkvISCIjQF4/bzAPBgNVHRMBAf8EBTAD\nAQH/MAoGCCqGSM49BAMCA0kAMEYCIQDnbznO8uFcpPzVtLcysJuAUcXWra+9nGbr\nLVbSFbJz5gIhALLcOHh4sAOuXNHRiAMIhkLTFaj/otg25CuDzas2snjU\n-----END CERTIFICATE-----\n";
