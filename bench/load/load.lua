-- What wrk sends: posts, checks, searches or health questions, at a rate that does not wait for answers.
--
-- wrk sends its next request when the last is answered, so that a service that stalls is asked less, and the stall is
-- counted once instead of for everyone who would have come meanwhile (coordinated omission). Here every thread has a
-- schedule: each request is due at a moment fixed beforehand, an idle connection takes the next one, and its latency
-- counts from when it was due, however late it could be sent.
--
-- Arguments: kind, requests a second, threads, prefix of ids. The file for the results is in the environment as RESULTS.

local ffi = require("ffi")
ffi.cdef([[
typedef struct { long seconds; long nanoseconds; } moment;
int clock_gettime(int clock, moment *now);
]])
local MONOTONIC = 1
local moment = ffi.new("moment")

local function now()
  ffi.C.clock_gettime(MONOTONIC, moment)
  return tonumber(moment.seconds) + tonumber(moment.nanoseconds) / 1e9
end

-- A post, in bytes.
local POST = 8192
-- One in five is a copy: half of those whole, half with a tenth of the words replaced.
local COPIES = 0.2
-- Texts that a copy may be of.
local REMEMBERED = 256
-- Words of a language. A few are frequent, most are rare.
local VOCABULARY = 20000

-- Latencies are counted in buckets that are 1 % wide, from 10 microseconds.
local LEAST, WIDTH = 1e-5, math.log(1.01)

local threads = {}

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

-- Of the thread: read by done() when all is over.
latencies, statuses, told_when, sent, longest = {}, {}, 0, 0, 0

local kind, period, prefix
local due, sent_at, first = {}, {}, 1
local next_due, count = nil, 0
local languages, remembered, memory = {}, {}, 0

local function utf8(code)
  if code < 0x80 then return string.char(code) end
  if code < 0x800 then return string.char(0xC0 + math.floor(code / 64), 0x80 + code % 64) end
  return string.char(0xE0 + math.floor(code / 4096), 0x80 + math.floor(code / 64) % 64, 0x80 + code % 64)
end

local function one_of(letters)
  local place = math.random(1, #letters)
  return letters:sub(place, place)
end

local function english()
  local word = {}
  for _ = 1, math.random(1, 4) do
    table.insert(word, one_of("bcdfghklmnprstvw"))
    table.insert(word, one_of("aeiou"))
    if math.random() < 0.3 then table.insert(word, one_of("nrstl")) end
  end
  return table.concat(word) .. " "
end

local function korean()
  local word = {}
  for _ = 1, math.random(1, 4) do table.insert(word, utf8(0xAC00 + 28 * math.random(0, 398) + math.random(0, 3))) end
  return table.concat(word) .. " "
end

local function japanese()
  local word = {}
  for _ = 1, math.random(1, 2) do table.insert(word, utf8(0x4E00 + math.random(0, 1500))) end
  for _ = 1, math.random(1, 3) do table.insert(word, utf8(0x3042 + math.random(0, 80))) end
  if math.random() < 0.1 then table.insert(word, "、") end
  return table.concat(word)
end

local function vocabulary(word)
  local words = {}
  for place = 1, VOCABULARY do words[place] = word() end
  return words
end

function init(arguments)
  kind, prefix = arguments[1], arguments[4]
  -- The same words for everyone, so that searches find what was posted; other texts for every thread.
  math.randomseed(8)
  languages = { vocabulary(english), vocabulary(korean), vocabulary(japanese) }
  local own = number
  for letter in prefix:gmatch(".") do own = own * 31 + letter:byte() end
  math.randomseed(own)
  period = tonumber(arguments[3]) / tonumber(arguments[2])
  wrk.headers["Content-Type"] = "application/json"
end

-- As often as in any language: the tenth word a tenth as often as the first (Zipf).
local function word_of(words)
  return words[math.floor(VOCABULARY ^ math.random())]
end

local function fresh_text()
  local words, text, bytes = languages[math.random(1, 3)], {}, 0
  local left = math.random(5, 20)
  while bytes < POST do
    local word = word_of(words)
    left = left - 1
    if left == 0 then
      word, left = word .. ". ", math.random(5, 20)
    end
    text[#text + 1] = word
    bytes = bytes + #word
  end
  return { words = words, text = text }
end

local function copy_of(old)
  if math.random() < 0.5 then return old end
  local text = {}
  for place, word in ipairs(old.text) do text[place] = word end
  -- What is changed stands together, as in a post with a new beginning.
  for place = 1, math.floor(#text / 10) do text[place] = word_of(old.words) end
  return { words = old.words, text = text }
end

local function text()
  if #remembered > 0 and math.random() < COPIES then
    return table.concat(copy_of(remembered[math.random(1, #remembered)]).text)
  end
  local fresh = fresh_text()
  memory = memory % REMEMBERED + 1
  remembered[memory] = fresh
  return table.concat(fresh.text)
end

-- The milliseconds until the next request of the schedule is due.
function delay()
  local time = now()
  -- Threads begin at different moments of a period, so that they do not come in one burst.
  next_due = next_due or time + period * math.random()
  local wait = next_due - time
  due[#due + 1] = next_due
  next_due = next_due + period
  return wait > 0 and math.floor(wait * 1000) or 0
end

function request()
  count = count + 1
  sent = sent + 1
  local id = prefix .. "-" .. number .. "-" .. count
  local when = due[first] or now()
  due[first] = nil
  first = first + 1
  -- Timers are a millisecond coarse: what is sent early was due when it was sent.
  sent_at[id] = math.min(when, now())
  sent_at.last = sent_at[id]
  if kind == "health" then return wrk.format("GET", "/healthz") end
  if kind == "searches" then
    local words = languages[math.random(1, 3)]
    local query = (word_of(words) .. " " .. word_of(words)):gsub("[^%w]", function(byte) return ("%%%02X"):format(byte:byte()) end)
    return wrk.format("GET", "/v1/search?q=" .. query)
  end
  local path = kind == "checks" and "/v1/check" or "/v1/documents"
  return wrk.format("POST", path, nil, '{"id":"' .. id .. '","text":"' .. text() .. '"}')
end

function response(status, headers, body)
  statuses[status] = (statuses[status] or 0) + 1
  local id = body:match('"id":"(' .. prefix:gsub("%-", "%%-") .. '%-%d+%-%d+)"')
  if status == 503 or status == 429 then
    if headers["retry-after"] or headers["Retry-After"] then told_when = told_when + 1 end
    return
  end
  if status >= 400 then return end
  -- A question without a name is the only one of its thread.
  local when = id and sent_at[id] or sent_at.last
  if id then sent_at[id] = nil end
  if not when then return end
  local took = now() - when
  longest = math.max(longest, took)
  local bucket = math.max(0, math.floor(math.log(math.max(took, LEAST) / LEAST) / WIDTH))
  latencies[bucket] = (latencies[bucket] or 0) + 1
end

local function added(name)
  local all = {}
  for _, thread in ipairs(threads) do
    for key, value in pairs(thread:get(name)) do all[key] = (all[key] or 0) + value end
  end
  return all
end

local function sum(name)
  local all = 0
  for _, thread in ipairs(threads) do all = all + thread:get(name) end
  return all
end

-- The latency, in milliseconds, that this share of all answers stays below.
local function percentile(counts, share)
  local buckets, total = {}, 0
  for bucket, times in pairs(counts) do
    table.insert(buckets, bucket)
    total = total + times
  end
  table.sort(buckets)
  local left = total * share
  for _, bucket in ipairs(buckets) do
    left = left - counts[bucket]
    if left <= 0 then return LEAST * math.exp((bucket + 1) * WIDTH) * 1000 end
  end
  return 0
end

function done(summary)
  local counts, all = added("latencies"), added("statuses")
  local written = {}
  for status, times in pairs(all) do table.insert(written, ('"%d":%d'):format(status, times)) end
  local slowest = 0
  for _, thread in ipairs(threads) do slowest = math.max(slowest, thread:get("longest")) end
  local errors = summary.errors
  local file = assert(io.open(os.getenv("RESULTS"), "w"))
  file:write(
    ('{"seconds":%.3f,"sent":%d,"statuses":{%s},"with_retry_after":%d,"p50":%.2f,"p90":%.2f,"p99":%.2f,"p999":%.2f,"longest":%.2f,"cut_off":%d,"timeouts":%d}\n'):format(
      summary.duration / 1e6, sum("sent"), table.concat(written, ","), sum("told_when"),
      percentile(counts, 0.5), percentile(counts, 0.9), percentile(counts, 0.99), percentile(counts, 0.999), slowest * 1000,
      errors.connect + errors.read + errors.write, errors.timeout
    )
  )
  file:close()
end
