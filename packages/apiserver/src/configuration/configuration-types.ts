/** Types of files that configure the server, in the text form of `@coxswain/apimachinery/schema`. All versions of one kind are alike. */
const authentication = (version: string): string => `@apiserver.config.k8s.io.${version}
=AuthenticationConfiguration
kind s 1 o
apiVersion s 2 o
jwt []JWTAuthenticator 3 o
anonymous *AnonymousAuthConfig 4 o
=AnonymousAuthConfig
enabled b 1 o
conditions []AnonymousAuthCondition 2 o
=AnonymousAuthCondition
path s 1 o
=JWTAuthenticator
issuer Issuer 1 o
claimValidationRules []ClaimValidationRule 2 o
claimMappings ClaimMappings 3 o
userValidationRules []UserValidationRule 4 o
=Issuer
url s 1 o
discoveryURL *s 2 o
certificateAuthority s 3 o
audiences []s 4 o
audienceMatchPolicy s 5 o
egressSelectorType s 6 o
=ClaimValidationRule
claim s 1 o
requiredValue s 2 o
expression s 3 o
message s 4 o
=ClaimMappings
username PrefixedClaimOrExpression 1 o
groups PrefixedClaimOrExpression 2 o
uid ClaimOrExpression 3 o
extra []ExtraMapping 4 o
=PrefixedClaimOrExpression
claim s 1 o
prefix *s 2 o
expression s 3 o
=ClaimOrExpression
claim s 1 o
expression s 2 o
=ExtraMapping
key s 1 o
valueExpression s 2 o
=UserValidationRule
expression s 1 o
message s 2 o
=AuthorizationConfiguration
kind s 1 o
apiVersion s 2 o
authorizers []AuthorizerConfiguration 3 o
=AuthorizerConfiguration
type s 1 o
name s 2 o
webhook *WebhookConfiguration 3 o
=WebhookConfiguration
authorizedTTL *D 1 o
cacheAuthorizedRequests *b 2 o
unauthorizedTTL *D 3 o
cacheUnauthorizedRequests *b 4 o
timeout *D 5 o
subjectAccessReviewVersion s 6 o
matchConditionSubjectAccessReviewVersion s 7 o
failurePolicy s 8 o
connectionInfo WebhookConnectionInfo 9 o
matchConditions []WebhookMatchCondition 10 o
=WebhookConnectionInfo
type s 1 o
kubeConfigFile *s 2 o
=WebhookMatchCondition
expression s 1 o
`;

const audit = `@audit.k8s.io.v1
=Policy
kind s 1 o
apiVersion s 2 o
metadata *J 3 o
rules []PolicyRule 4 o
omitStages []s 5 o
omitManagedFields *b 6 o
=PolicyRule
level s 1 o
users []s 2 o
userGroups []s 3 o
verbs []s 4 o
resources []GroupResources 5 o
namespaces []s 6 o
nonResourceURLs []s 7 o
omitStages []s 8 o
omitManagedFields *b 9 o
=GroupResources
group s 1 o
resources []s 2 o
resourceNames []s 3 o
`;

export const configurationTypes: readonly string[] = [...["v1", "v1beta1", "v1alpha1"].map(authentication), audit];
