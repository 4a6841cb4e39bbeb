import { encodeMessage } from "../gnostic/encode-message.js";
import { type MessageTable, parseMessageTable } from "../gnostic/message-table.js";
import type { OpenAPIV3Document } from "./document.js";

/** The messages of gnostic's `openapi.v3`, as far as Kubernetes uses them. */
const messages = `
=Document
openapi 1 s
info 2 Info
paths 4 Paths
components 5 Components
security 6 SecurityRequirement[]
x- 9 any{}
=Info
title 1 s
description 2 s
version 6 s
=SecurityRequirement
* 1 StringArray{}
~StringArray
value 1 s[]
=Paths
/ 1 PathItem{}
x- 2 any{}
=PathItem
$ref 1 s
summary 2 s
description 3 s
get 4 Operation
put 5 Operation
post 6 Operation
delete 7 Operation
options 8 Operation
head 9 Operation
patch 10 Operation
trace 11 Operation
parameters 13 ParameterOrReference[]
x- 14 any{}
=Operation
tags 1 s[]
summary 2 s
description 3 s
operationId 5 s
parameters 6 ParameterOrReference[]
requestBody 7 RequestBodyOrReference
responses 8 Responses
deprecated 10 b
security 11 SecurityRequirement[]
x- 13 any{}
=Reference
$ref 1 s
summary 2 s
description 3 s
?ParameterOrReference
$ref 2 Reference
else 1 Parameter
=Parameter
name 1 s
in 2 s
description 3 s
required 4 b
deprecated 5 b
allowEmptyValue 6 b
style 7 s
explode 8 b
allowReserved 9 b
schema 10 SchemaOrReference
content 13 MediaTypes
x- 14 any{}
?RequestBodyOrReference
$ref 2 Reference
else 1 RequestBody
=RequestBody
description 1 s
content 2 MediaTypes
required 3 b
x- 4 any{}
=MediaTypes
* 1 MediaType{}
=MediaType
schema 1 SchemaOrReference
x- 5 any{}
=Responses
default 1 ResponseOrReference
* 2 ResponseOrReference{}
x- 3 any{}
?ResponseOrReference
$ref 2 Reference
else 1 Response
=Response
description 1 s
content 3 MediaTypes
x- 5 any{}
=Components
schemas 1 Properties
securitySchemes 7 SecuritySchemes
x- 10 any{}
=SecuritySchemes
* 1 SecuritySchemeOrReference{}
?SecuritySchemeOrReference
$ref 2 Reference
else 1 SecurityScheme
=SecurityScheme
type 1 s
description 2 s
name 3 s
in 4 s
x- 9 any{}
=Properties
* 1 SchemaOrReference{}
?SchemaOrReference
$ref 2 Reference
else 1 Schema
=Schema
nullable 1 b
readOnly 3 b
writeOnly 4 b
example 7 any
deprecated 8 b
title 9 s
multipleOf 10 d
maximum 11 d
exclusiveMaximum 12 b
minimum 13 d
exclusiveMinimum 14 b
maxLength 15 l
minLength 16 l
pattern 17 s
maxItems 18 l
minItems 19 l
uniqueItems 20 b
maxProperties 21 l
minProperties 22 l
required 23 s[]
enum 24 any[]
type 25 s
allOf 26 SchemaOrReference[]
oneOf 27 SchemaOrReference[]
anyOf 28 SchemaOrReference[]
not 29 Schema
items 30 ItemsItem
properties 31 Properties
additionalProperties 32 AdditionalPropertiesItem
default 33 DefaultType
description 34 s
format 35 s
x- 36 any{}
~ItemsItem
value 1 SchemaOrReference[]
?AdditionalPropertiesItem
boolean 2 b
else 1 SchemaOrReference
?DefaultType
number 1 d
boolean 2 b
string 3 s
`;
let table: MessageTable | undefined;

/** The protobuf form. A default that is neither number, boolean nor text is left empty: the message has no place for it. */
export function openAPIV3Protobuf(document: OpenAPIV3Document): Uint8Array {
  table ??= parseMessageTable(messages);
  return encodeMessage(table, "Document", document);
}
