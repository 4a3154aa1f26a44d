/** Creates variants of a valid request. The same random numbers give the same variants. */

const bits = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  ':',
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  '\\',
  '\\u0000',
  '%00',
  '%2f',
  '../',
  '\u00ff',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 0\r\n',
  'Content-Length: 1\r\n',
  'Connection: keep-alive\r\n',
  'Expect: 100-continue\r\n',
  'Host: evil\r\n',
  'HTTP/1.0',
  'HTTP/2.0',
  'GET',
  'PUT',
  'null',
  'true',
  '1e400',
  '-1',
  '[]',
  '{}',
  '"event":1,',
  '"material_id":null,',
  '"content_url":[],',
  '"__proto__":{},',
  '\ufeff',
  '\ud83d',
  'é',
  '0\r\n\r\n',
]

/** One to four edits: bytes changed, removed, repeated or inserted. */
export function mutated(whole: Buffer, random: () => number): Buffer {
  const upTo = (limit: number): number => Math.floor(random() * limit)
  let bytes = whole
  for (let edits = 1 + upTo(4); edits > 0; edits -= 1) {
    // Half of the edits hit the head, which is short compared to the body.
    const at = upTo(random() < 0.5 ? Math.min(bytes.length, 200) : bytes.length)
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    switch (upTo(5)) {
      case 0:
        bytes = Buffer.concat([before, Buffer.from([upTo(256)]), after.subarray(1)])
        break
      case 1:
        bytes = Buffer.concat([before, after.subarray(1 + upTo(12))])
        break
      case 2:
        bytes = Buffer.concat([before, after.subarray(0, 1 + upTo(30)), after])
        break
      case 3:
        bytes = Buffer.concat([before, Buffer.from(bits[upTo(bits.length)] ?? ''), after])
        break
      default:
        bytes = before
    }
  }
  return bytes
}
