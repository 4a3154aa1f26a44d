-- Credentials in the addresses of callbacks that stored nothing.
UPDATE callback SET payload = redacted_payload(payload)
  WHERE payload IS NOT NULL AND content_url <> redacted_url(content_url)
    AND outcome IN ('refused', 'rejected', 'failed', 'interrupted');
UPDATE callback SET content_url = redacted_url(content_url)
  WHERE content_url IS NOT NULL AND outcome IN ('refused', 'rejected', 'failed', 'interrupted');
