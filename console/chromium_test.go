package console

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// chromium is a browser that is told what to do over a pair of pipes: messages of JSON with a zero behind each.
type chromium struct {
	t    *testing.T
	to   io.Writer
	page string // the session of its one page

	mu      sync.Mutex
	last    int
	waiting map[int]chan reply
	said    []string // errors and words on the page's console
}

type reply struct {
	Result json.RawMessage
	Error  *struct{ Message string }
}

// browse starts Chromium without a window, or skips the test where there is none.
func browse(t *testing.T) *chromium {
	t.Helper()
	if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not there: apt-get install chromium")
	}
	in, toBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromBrowser, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
		"--no-first-run", "--disable-dev-shm-usage",
		"--hide-scrollbars", "--lang=en", "--user-data-dir="+t.TempDir(), "about:blank")
	cmd.ExtraFiles = []*os.File{in, out} // 3 and 4, where it looks for them
	if err := cmd.Start(); err != nil {
		t.Skip("chromium does not start:", err)
	}
	_, _ = in.Close(), out.Close()
	b := &chromium{t: t, to: toBrowser, waiting: map[int]chan reply{}}
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		b.listen(fromBrowser)
	}()
	t.Cleanup(func() {
		_ = toBrowser.Close() // which ends it
		done := make(chan struct{})
		go func() {
			_ = cmd.Wait()
			close(done)
		}()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-done
		}
		<-gone
		_ = fromBrowser.Close()
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	b.page = session.SessionID
	b.call("Page.enable", nil, nil)
	b.call("Runtime.enable", nil, nil)
	b.call("Log.enable", nil, nil)
	return b
}

// listen hands on what the browser says.
func (b *chromium) listen(from io.Reader) {
	reader := bufio.NewReader(from)
	for {
		text, err := reader.ReadBytes(0)
		if err != nil {
			b.mu.Lock()
			for _, w := range b.waiting {
				w <- reply{Error: &struct{ Message string }{"the browser has ended"}}
			}
			b.waiting = nil
			b.mu.Unlock()
			return
		}
		var m struct {
			reply
			ID     int
			Method string
			Params json.RawMessage
		}
		if json.Unmarshal(bytes.TrimSuffix(text, []byte{0}), &m) != nil {
			continue
		}
		b.mu.Lock()
		switch {
		case m.ID != 0:
			if w := b.waiting[m.ID]; w != nil {
				delete(b.waiting, m.ID)
				w <- m.reply
			}
		case m.Method == "Runtime.exceptionThrown", m.Method == "Runtime.consoleAPICalled", m.Method == "Log.entryAdded":
			b.said = append(b.said, string(m.Params))
		}
		b.mu.Unlock()
	}
}

// call asks the browser for something.
func (b *chromium) call(method string, params, result any) {
	b.t.Helper()
	if err := b.try(method, params, result); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

func (b *chromium) try(method string, params, result any) error {
	b.mu.Lock()
	if b.waiting == nil {
		b.mu.Unlock()
		return errors.New("the browser has ended")
	}
	b.last++
	answer := make(chan reply, 1)
	b.waiting[b.last] = answer
	text, err := json.Marshal(map[string]any{"id": b.last, "method": method, "params": params})
	if b.page != "" {
		text, err = json.Marshal(map[string]any{"id": b.last, "method": method, "params": params, "sessionId": b.page})
	}
	if err == nil {
		_, err = b.to.Write(append(text, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return err
	}
	select {
	case r := <-answer:
		if r.Error != nil {
			return errors.New(r.Error.Message)
		}
		if result != nil {
			return json.Unmarshal(r.Result, result)
		}
		return nil
	case <-time.After(time.Minute):
		return errors.New("no answer in a minute")
	}
}

// value is what an expression gives on the page.
func (b *chromium) value(expression string) any {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &r)
	if r.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s %s", expression, r.ExceptionDetails.Text, r.ExceptionDetails.Exception.Description)
	}
	return r.Result.Value
}

func (b *chromium) text(expression string) string {
	b.t.Helper()
	return fmt.Sprint(b.value(expression))
}

// until waits until an expression is true.
func (b *chromium) until(expression string) {
	b.t.Helper()
	end := time.Now().Add(30 * time.Second)
	for {
		var r struct {
			Result struct{ Value any }
		}
		b.call("Runtime.evaluate", map[string]any{"expression": "Boolean(" + expression + ")", "returnByValue": true}, &r)
		if r.Result.Value == true {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("in vain: %s\n%s", expression, b.text("document.body.innerText"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// open opens a page.
func (b *chromium) open(url string) {
	b.t.Helper()
	b.call("Page.navigate", map[string]any{"url": url}, nil)
	b.until("document.readyState === 'complete'")
}

// keys are those that are pressed by name.
var keys = map[string]int{"Enter": 13, "Escape": 27, "Tab": 9, "ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37,
	"ArrowRight": 39, "Home": 36, "End": 35, " ": 32}

// press presses a key; held are 2 for Ctrl and 8 for Shift.
func (b *chromium) press(key string, held int) {
	b.t.Helper()
	event := map[string]any{"type": "keyDown", "key": key, "code": key, "windowsVirtualKeyCode": keys[key],
		"modifiers": held}
	switch key {
	case "Enter":
		event["text"] = "\r"
	case " ":
		event["text"], event["code"] = " ", "Space"
	}
	if held != 0 {
		delete(event, "text")
		event["type"] = "rawKeyDown"
	}
	b.call("Input.dispatchKeyEvent", event, nil)
	event["type"] = "keyUp"
	delete(event, "text")
	b.call("Input.dispatchKeyEvent", event, nil)
}

// write types a text where the focus is.
func (b *chromium) write(text string) {
	b.t.Helper()
	b.call("Input.insertText", map[string]any{"text": text}, nil)
}

// look sets what the page is shown on.
func (b *chromium) look(width, height int, scheme string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1,
		"mobile": false}, nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{
		{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// picture keeps what the page looks like, in both colours, if a folder is given for pictures.
func (b *chromium) picture(folder, name string) {
	b.t.Helper()
	if folder == "" {
		return
	}
	for _, scheme := range []string{"light", "dark"} {
		b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{
			{"name": "prefers-color-scheme", "value": scheme}}}, nil)
		var shot struct{ Data string }
		b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
		data, err := base64.StdEncoding.DecodeString(shot.Data)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name+"-"+scheme+".png"), data, 0o644)
		}
		if err != nil {
			b.t.Fatal(err)
		}
	}
}

// silent fails for what the page has said: an error of a script, or a violation of its policy.
func (b *chromium) silent() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.said {
		if !strings.Contains(s, "401") && !strings.Contains(s, "Password field is not contained") {
			b.t.Error("the page says: " + s)
		}
	}
}

// heard are the names that a screen reader says of the elements of a role.
func (b *chromium) heard(role string) (names []string) {
	b.t.Helper()
	var tree struct {
		Nodes []struct{ Role, Name struct{ Value any } }
	}
	b.call("Accessibility.getFullAXTree", nil, &tree)
	for _, n := range tree.Nodes {
		if n.Role.Value == role {
			names = append(names, fmt.Sprint(n.Name.Value))
		}
	}
	return names
}
