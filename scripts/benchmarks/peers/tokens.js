// Counts the tokens (o200k) of texts: reads a list of them as JSON, writes the list of their numbers.
import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const texts = JSON.parse(readFileSync(0, 'utf8'));
console.log(JSON.stringify(texts.map((text) => countTokens(text, { disallowedSpecial: new Set() }))));
