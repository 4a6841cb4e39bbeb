import { encodeMessage } from "../gnostic/encode-message.js";
import { type MessageTable, parseMessageTable } from "../gnostic/message-table.js";
import type { OpenAPIV2Document } from "./document.js";

/** The messages of gnostic's `openapi.v2`, as far as Kubernetes uses them. */
const messages = `
=Document
swagger 1 s
info 2 Info
paths 8 Paths
definitions 9 Definitions
parameters 10 ParameterDefinitions
security 12 SecurityRequirement[]
securityDefinitions 13 SecurityDefinitions
x- 16 any{}
=Info
title 1 s
version 2 s
description 3 s
=Paths
x- 1 any{}
/ 2 PathItem{}
=PathItem
$ref 1 s
get 2 Operation
put 3 Operation
post 4 Operation
delete 5 Operation
options 6 Operation
head 7 Operation
patch 8 Operation
parameters 9 ParametersItem[]
x- 10 any{}
=Operation
tags 1 s[]
summary 2 s
description 3 s
operationId 5 s
produces 6 s[]
consumes 7 s[]
parameters 8 ParametersItem[]
responses 9 Responses
schemes 10 s[]
deprecated 11 b
security 12 SecurityRequirement[]
x- 13 any{}
?ParametersItem
$ref 2 JsonReference
else 1 Parameter
=JsonReference
$ref 1 s
description 2 s
?Parameter
in=body 1 BodyParameter
else 2 NonBodyParameter
=BodyParameter
description 1 s
name 2 s
in 3 s
required 4 b
schema 5 Schema
x- 6 any{}
?NonBodyParameter
in=query 3 QueryParameterSubSchema
in=path 4 PathParameterSubSchema
=QueryParameterSubSchema
required 1 b
in 2 s
description 3 s
name 4 s
type 6 s
format 7 s
uniqueItems 20 b
x- 23 any{}
=PathParameterSubSchema
required 1 b
in 2 s
description 3 s
name 4 s
type 5 s
format 6 s
uniqueItems 19 b
x- 22 any{}
=ParameterDefinitions
* 1 Parameter{}
=Responses
* 1 ResponseValue{}
x- 2 any{}
?ResponseValue
$ref 2 JsonReference
else 1 Response
=Response
description 1 s
schema 2 SchemaItem
x- 5 any{}
?SchemaItem
else 1 Schema
=Definitions
* 1 Schema{}
=Schema
$ref 1 s
format 2 s
title 3 s
description 4 s
default 5 any
multipleOf 6 d
maximum 7 d
exclusiveMaximum 8 b
minimum 9 d
exclusiveMinimum 10 b
maxLength 11 l
minLength 12 l
pattern 13 s
maxItems 14 l
minItems 15 l
uniqueItems 16 b
maxProperties 17 l
minProperties 18 l
required 19 s[]
enum 20 any[]
additionalProperties 21 AdditionalPropertiesItem
type 22 TypeItem
items 23 ItemsItem
allOf 24 Schema[]
properties 25 Properties
discriminator 26 s
readOnly 27 b
example 30 any
x- 31 any{}
?AdditionalPropertiesItem
boolean 2 b
else 1 Schema
~TypeItem
value 1 s[]
~ItemsItem
schema 1 Schema[]
=Properties
* 1 Schema{}
=SecurityRequirement
* 1 StringArray{}
~StringArray
value 1 s[]
=SecurityDefinitions
* 1 SecurityDefinitionsItem{}
?SecurityDefinitionsItem
type=apiKey 2 ApiKeySecurity
=ApiKeySecurity
type 1 s
name 2 s
in 3 s
description 4 s
x- 5 any{}
`;
let table: MessageTable | undefined;

/** The protobuf form, which kubectl and client libraries ask for. */
export function openAPIV2Protobuf(document: OpenAPIV2Document): Uint8Array {
  table ??= parseMessageTable(messages);
  return encodeMessage(table, "Document", document);
}
