/** JSON texts that cost a reader the most for `sizeBytes`: many keys, many values, depth, escapes, no end. */
export function hostileBodies(sizeBytes: number): readonly { readonly name: string; readonly body: Buffer }[] {
  const filled = (before: string, piece: string, after: string): string =>
    before + piece.repeat(Math.floor((sizeBytes - before.length - after.length) / piece.length)) + after
  const texts = {
    'many keys': filled('{', '"":0,', '"a":1}'),
    'many escaped keys': filled('{', '"\\u006d":0,', '"a":1}'),
    'many signed keys': filled('{', '"material_id":"\\u0061",', '"a":1}'),
    'many values': filled('{"a":[', '0,', '0]}'),
    'many objects': filled('{"a":[', '{},', '{}]}'),
    'deep lists, again and again': filled('{"a":[', `${'['.repeat(200)}${']'.repeat(200)},`, '0]}'),
    'lists without end': filled('{"a":', '[', ''),
    'one long string': filled('{"a":"', 'x', '"}'),
    'a string of escapes': filled('{"a":"', '\\u0041', '"}'),
    'a string of quotes without end': filled('{"a":"', '\\"', ''),
    'a long material_id': filled('{"material_id":"', 'x', '"}'),
    'a long number': filled('{"material_id":', '1', '}'),
    blanks: filled('', ' ', '{}'),
    'no JSON': filled('', 'x', ''),
  }
  return Object.entries(texts).map(([name, text]) => ({ name, body: Buffer.from(text) }))
}
