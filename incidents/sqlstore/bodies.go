package sqlstore

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// sameBodyWithin is how long a body that comes again is only counted: an
// Alertmanager repeats itself, and so does each peer of a pair.
const sameBodyWithin = time.Hour

// KeepBody stores a webhook's body as received, compressed. One that came within
// the last hour already is counted.
func (s *Store) KeepBody(ctx context.Context, source string, at time.Time, body []byte) error {
	sum := sha256.Sum256(body)
	digest := hex.EncodeToString(sum[:])
	write := s.writer()
	n, err := write.affect(ctx, `
		UPDATE webhook_bodies SET received = received + 1, last_at = $3
		WHERE digest = $1 AND source = $2 AND last_at >= $4`,
		digest, key(source), micros(at), micros(at.Add(-sameBodyWithin)))
	if err != nil {
		return fmt.Errorf("count a webhook's body: %w", err)
	}
	if n > 0 {
		return nil
	}
	packed, err := pack(body)
	if err != nil {
		return fmt.Errorf("compress a webhook's body: %w", err)
	}
	_, err = write.exec(ctx, `
		INSERT INTO webhook_bodies (source, digest, first_at, last_at, received, body)
		VALUES ($1, $2, $3, $4, 1, $5)`, key(source), digest, micros(at), micros(at), packed)
	if err != nil {
		return fmt.Errorf("keep a webhook's body: %w", err)
	}
	return nil
}

func pack(body []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(body); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Forget deletes once keys, what people have begun and webhook bodies older than before. A once key is
// as old as the end of the time it was to be kept for at least.
func (s *Store) Forget(ctx context.Context, before time.Time) error {
	write := s.writer()
	if _, err := write.exec(ctx, `DELETE FROM once WHERE keep_until < $1`, micros(before)); err != nil {
		return fmt.Errorf("forget once keys: %w", err)
	}
	if _, err := write.exec(ctx, `DELETE FROM kept WHERE keep_until < $1`, micros(before)); err != nil {
		return fmt.Errorf("forget what people have begun: %w", err)
	}
	if _, err := write.exec(ctx, `DELETE FROM webhook_bodies WHERE last_at < $1`, micros(before)); err != nil {
		return fmt.Errorf("forget webhook bodies: %w", err)
	}
	return nil
}
