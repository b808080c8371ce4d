/** Code that verifies the signature of a webhook, for the page of an endpoint. */
export const verifySamples: readonly { readonly name: string; readonly code: string }[] = [
  {
    name: 'TypeScript',
    code: `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.DUES_WEBHOOK_SECRET);

// \`body\` is the request body as text, before it is parsed.
// Throws if it is not from dues or older than five minutes: respond with 401.
const { id, event, sequence, data } = webhook.verify(body, headers);
`,
  },
  {
    name: 'Python',
    code: `import hashlib
import hmac
import os
import time

SECRET = os.environ["DUES_WEBHOOK_SECRET"].encode()


def is_from_dues(body: bytes, header: str) -> bool:
    """body: the bytes as received. header: x-webhook-signature."""
    parts = [part.split("=", 1) for part in header.split(",") if "=" in part]
    seconds = next((value for name, value in parts if name == "t"), "")
    if not seconds.isdigit() or abs(time.time() - int(seconds)) > 300:
        return False
    expected = hmac.new(SECRET, f"{seconds}.".encode() + body, hashlib.sha256).hexdigest()
    # There are two signatures during a rotation of the secret.
    return any(hmac.compare_digest(expected.encode(), value.encode()) for name, value in parts if name == "v1")
`,
  },
  {
    name: 'Go',
    code: `package dues

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"time"
)

// IsFromDues takes the bytes as received and the header x-webhook-signature.
func IsFromDues(body []byte, header string) bool {
	seconds := ""
	var signatures []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		if name == "t" {
			seconds = value
		}
		if name == "v1" {
			signatures = append(signatures, value)
		}
	}
	sent, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil || time.Since(time.Unix(sent, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(os.Getenv("DUES_WEBHOOK_SECRET")))
	mac.Write([]byte(seconds + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	// There are two signatures during a rotation of the secret.
	for _, signature := range signatures {
		given, err := hex.DecodeString(signature)
		if err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}
`,
  },
  {
    name: 'PHP',
    code: `<?php
// $body: file_get_contents('php://input'). $header: $_SERVER['HTTP_X_WEBHOOK_SIGNATURE'].
function isFromDues(string $body, string $header): bool
{
    $seconds = '';
    $signatures = [];
    foreach (explode(',', $header) as $part) {
        [$name, $value] = array_pad(explode('=', $part, 2), 2, '');
        if ($name === 't') $seconds = $value;
        if ($name === 'v1') $signatures[] = $value;
    }
    if (!ctype_digit($seconds) || abs(time() - (int) $seconds) > 300) return false;
    $expected = hash_hmac('sha256', "$seconds.$body", getenv('DUES_WEBHOOK_SECRET'));
    // There are two signatures during a rotation of the secret.
    foreach ($signatures as $signature) {
        if (hash_equals($expected, $signature)) return true;
    }
    return false;
}
`,
  },
];
