-- SPDX-License-Identifier: GPL-2.0
--
-- Wireshark dissector of lapsmp, version 1 (Documentation/protocol.md).
--
--	wireshark -X lua_script:lapsmp.lua
--
-- or copy it into the folder that "tshark -G folders" calls personal Lua
-- plugins. It takes UDP port 4795 (preference "UDP port"); for other ports use
-- "Decode as" or -d udp.port==N,lapsmp. It looks at no other traffic.

local lapsmp = Proto("lapsmp", "Multipath reliable datagrams")

local VERSION = 1
local HDR_LEN, INVARIANT_LEN, PROBE_MIN = 24, 16, 56

local types = {
	[1] = "DATA", [2] = "ACK", [3] = "PROBE", [4] = "PROBE_ACK",
	[5] = "WPROBE", [6] = "WUPDATE", [7] = "ABORT", [8] = "CLOSE",
	[9] = "RESET", [10] = "COOKIE", [11] = "VERSION",
	[12] = "CHALLENGE", [14] = "GRANT (reserved)",
}
local T = { DATA = 1, ACK = 2, PROBE = 3, PROBE_ACK = 4, WPROBE = 5,
	    WUPDATE = 6, ABORT = 7, CLOSE = 8, RESET = 9, COOKIE = 10,
	    VERSION = 11, CHALLENGE = 12 }
-- Header without options; a type that is not here is not known.
local fixed = {
	[T.DATA] = 36, [T.ACK] = 56, [T.PROBE] = 24, [T.PROBE_ACK] = 56,
	[T.WPROBE] = 24, [T.WUPDATE] = 56, [T.ABORT] = 36, [T.CLOSE] = 32,
	[T.RESET] = 32, [T.COOKIE] = 48, [T.VERSION] = 28,
	[T.CHALLENGE] = 40,
}
local openers = { [T.DATA] = true, [T.PROBE] = true, [T.WPROBE] = true,
		  [T.ABORT] = true }
local acks = { [T.ACK] = true, [T.PROBE_ACK] = true, [T.WUPDATE] = true }

local reset_reasons = {
	[1] = "unknown flow", [2] = "refused", [3] = "too big",
	[4] = "unread data", [5] = "out of room", [6] = "stale flow number",
}
local close_reasons = { [0] = "idle", [1] = "aborted" }
local abort_reasons = { [0] = "not told" }
local options = {
	[0x00] = "PAD", [0x81] = "OPEN", [0x82] = "COOKIE", [0x03] = "ECN",
	[0x04] = "ENTROPY (reserved)", [0x85] = "GRANT (reserved)",
	[0x86] = "AUTH (reserved)", [0x87] = "FROM", [0x08] = "ALSO",
}

local f = {
	version = ProtoField.uint8("lapsmp.version", "Version", base.DEC, nil, 0xf0),
	type = ProtoField.uint8("lapsmp.type", "Type", base.DEC, types, 0x0f),
	hlen = ProtoField.uint8("lapsmp.hlen", "Header length (4 bytes)"),
	flags = ProtoField.uint8("lapsmp.flags", "Flags", base.HEX),
	rtx = ProtoField.bool("lapsmp.flags.rtx", "Sent before", 8, nil, 0x01),
	acknow = ProtoField.bool("lapsmp.flags.acknow", "Answer at once", 8, nil, 0x02),
	unordered = ProtoField.bool("lapsmp.flags.unordered", "Unordered", 8, nil, 0x04),
	path = ProtoField.uint16("lapsmp.path", "Path"),
	flow = ProtoField.uint64("lapsmp.flow", "Flow", base.HEX),
	seq = ProtoField.uint32("lapsmp.seq", "Sequence on the path"),
	time = ProtoField.uint32("lapsmp.time", "Departure (ns)"),
	msg = ProtoField.uint32("lapsmp.msg", "Message"),
	off = ProtoField.uint32("lapsmp.off", "Offset"),
	msg_len = ProtoField.uint32("lapsmp.msg_len", "Message length"),
	map = ProtoField.uint64("lapsmp.map", "Map", base.HEX),
	owd = ProtoField.uint32("lapsmp.owd", "One-way delay, clocks' offset included (ns)"),
	owd_mean = ProtoField.uint32("lapsmp.owd_mean", "Mean one-way delay (ns)"),
	ack_delay = ProtoField.uint32("lapsmp.ack_delay", "ACK delay (ns)"),
	rcv_msg = ProtoField.uint32("lapsmp.rcv_msg", "First message not whole"),
	rcv_off = ProtoField.uint32("lapsmp.rcv_off", "Bytes of it"),
	limit = ProtoField.uint32("lapsmp.limit", "Limit (credits)"),
	reset = ProtoField.uint16("lapsmp.reset", "Reason", base.DEC, reset_reasons),
	close = ProtoField.uint16("lapsmp.close", "Reason", base.DEC, close_reasons),
	abort = ProtoField.uint16("lapsmp.abort", "Reason", base.DEC, abort_reasons),
	cookie_inc = ProtoField.uint64("lapsmp.cookie.inc", "Receiver's incarnation", base.HEX),
	cookie_time = ProtoField.uint64("lapsmp.cookie.time", "Cookie time"),
	cookie_mac = ProtoField.uint64("lapsmp.cookie.mac", "Cookie MAC", base.HEX),
	token_time = ProtoField.uint64("lapsmp.token.time", "Token time"),
	token_mac = ProtoField.uint64("lapsmp.token.mac", "Token MAC", base.HEX),
	versions = ProtoField.uint32("lapsmp.versions", "Versions known", base.HEX),
	opt = ProtoField.uint8("lapsmp.opt", "Option", base.HEX, options),
	opt_len = ProtoField.uint8("lapsmp.opt.len", "Length"),
	opt_body = ProtoField.bytes("lapsmp.opt.body", "Body"),
	sport = ProtoField.uint16("lapsmp.srcport", "Source port"),
	dport = ProtoField.uint16("lapsmp.dstport", "Destination port"),
	number = ProtoField.uint64("lapsmp.open.number", "Flow number"),
	snd_inc = ProtoField.uint64("lapsmp.open.snd_inc", "Sender's incarnation", base.HEX),
	rcv_inc = ProtoField.uint64("lapsmp.open.rcv_inc", "Receiver's incarnation", base.HEX),
	from_inc = ProtoField.uint64("lapsmp.from.snd_inc", "Sender's incarnation", base.HEX),
	ect0 = ProtoField.uint32("lapsmp.ecn.ect0", "ECT(0)"),
	ect1 = ProtoField.uint32("lapsmp.ecn.ect1", "ECT(1)"),
	ce = ProtoField.uint32("lapsmp.ecn.ce", "CE"),
	also_path = ProtoField.uint16("lapsmp.also.path", "Path"),
	also_seq = ProtoField.uint32("lapsmp.also.seq", "Sequence on the path"),
	also_map = ProtoField.uint64("lapsmp.also.map", "Map", base.HEX),
	also_owd = ProtoField.uint32("lapsmp.also.owd", "One-way delay, clocks' offset included (ns)"),
	also_owd_mean = ProtoField.uint32("lapsmp.also.owd_mean", "Mean one-way delay (ns)"),
	also_ack_delay = ProtoField.uint32("lapsmp.also.ack_delay", "ACK delay (ns)"),
	payload = ProtoField.bytes("lapsmp.payload", "Payload"),
	padding = ProtoField.bytes("lapsmp.padding", "Padding"),
	payload_len = ProtoField.uint16("lapsmp.payload_len", "Bytes behind the header"),
}
lapsmp.fields = f

local e = {
	malformed = ProtoExpert.new("lapsmp.malformed", "Malformed: dropped",
				    expert.group.MALFORMED, expert.severity.ERROR),
	unsupported = ProtoExpert.new("lapsmp.unsupported", "Not supported",
				      expert.group.UNDECODED, expert.severity.WARN),
	rtx = ProtoExpert.new("lapsmp.rtx", "Retransmission",
			      expert.group.SEQUENCE, expert.severity.NOTE),
	reset = ProtoExpert.new("lapsmp.is_reset", "The flow is refused",
				expert.group.RESPONSE_CODE, expert.severity.WARN),
}
lapsmp.experts = e

lapsmp.prefs.port = Pref.uint("UDP port", 4795, "The service port")

-- What one packet's dissection passes around: the bytes, the tree, and whether
-- it was found to be malformed or not supported.
local Packet = {}
Packet.__index = Packet

function Packet:bad(text)
	self.verdict = self.verdict or "malformed"
	self.tree:add_proto_expert_info(e.malformed, text)
end

function Packet:unsupported(text)
	self.verdict = self.verdict or "not supported"
	self.tree:add_proto_expert_info(e.unsupported, text)
end

function Packet:add(tree, field, pos, len)
	tree:add(field, self.tvb(pos, len))
end

function Packet:u32(field, pos)
	self.tree:add(field, self.tvb(pos, 4))
	return self.tvb(pos, 4):uint()
end

local function is_zero64(range)
	return range:uint64() == UInt64(0)
end

-- Fixed parts, by type. Each returns what the info column says.

local function dissect_data(p)
	local msg = p:u32(f.msg, 24)
	local off = p:u32(f.off, 28)
	local len = p:u32(f.msg_len, 32)

	if msg == 0 then
		p:bad("Message 0")
	end
	if off > len or p.rest > len - off then
		p:bad("Beyond the end of the message")
	elseif p.rest == 0 and len > 0 then
		p:bad("No payload")
	end
	if p.tvb(2, 1):bitfield(7, 1) == 1 then
		p.tree:add_proto_expert_info(e.rtx)
	end
	return string.format("Msg=%u Off=%u Len=%u/%u", msg, off, p.rest, len)
end

local function dissect_ack(p)
	p:add(p.tree, f.map, 24, 8)
	p:u32(f.owd, 32)
	p:u32(f.owd_mean, 36)
	p:u32(f.ack_delay, 40)
	local rcv_msg = p:u32(f.rcv_msg, 44)
	local rcv_off = p:u32(f.rcv_off, 48)
	local limit = p:u32(f.limit, 52)

	if rcv_msg == 0 then
		p:bad("First message not whole is 0")
	end
	return string.format("Rcv=%u+%u Limit=%u", rcv_msg, rcv_off, limit)
end

local function dissect_probe(p)
	if p.tvb:reported_len() < PROBE_MIN then
		p:bad("Shorter than its answer")
	end
	return string.format("Size=%u", p.tvb:reported_len())
end

local function dissect_abort(p)
	local msg = p:u32(f.msg, 24)
	p:u32(f.msg_len, 28)
	p:add(p.tree, f.abort, 32, 2)

	if msg == 0 then
		p:bad("Message 0")
	end
	return string.format("Msg=%u", msg)
end

local function dissect_close(p)
	local msg = p:u32(f.msg, 24)
	local reason = p.tvb(28, 2):uint()
	p:add(p.tree, f.close, 28, 2)

	if msg == 0 then
		p:bad("Message 0")
	end
	return string.format("Msg=%u (%s)", msg, close_reasons[reason] or reason)
end

local function dissect_reset(p)
	local reason = p.tvb(24, 2):uint()
	p:add(p.tree, f.reset, 24, 2)
	p:u32(f.msg, 28)

	if reason == 0 then
		p:bad("Reason 0")
	end
	p.tree:add_proto_expert_info(e.reset)
	return string.format("(%s)", reset_reasons[reason] or reason)
end

local function dissect_cookie(p)
	p:add(p.tree, f.cookie_inc, 24, 8)
	p:add(p.tree, f.cookie_time, 32, 8)
	p:add(p.tree, f.cookie_mac, 40, 8)
	if is_zero64(p.tvb(24, 8)) then
		p:bad("Incarnation 0")
	end
	return ""
end

local function dissect_version(p)
	local versions = p:u32(f.versions, 24)

	if versions == 0 then
		p:bad("No version")
	end
	return string.format("Known=0x%x", versions)
end

local function dissect_challenge(p)
	p:add(p.tree, f.token_time, 24, 8)
	p:add(p.tree, f.token_mac, 32, 8)
	return ""
end

local dissect_fixed = {
	[T.DATA] = dissect_data, [T.ACK] = dissect_ack,
	[T.PROBE] = dissect_probe, [T.PROBE_ACK] = dissect_ack,
	[T.WPROBE] = dissect_probe, [T.WUPDATE] = dissect_ack,
	[T.ABORT] = dissect_abort, [T.CLOSE] = dissect_close,
	[T.RESET] = dissect_reset, [T.COOKIE] = dissect_cookie,
	[T.VERSION] = dissect_version, [T.CHALLENGE] = dissect_challenge,
}

-- Options.

local function dissect_open(p, tree, pos)
	p:add(tree, f.sport, pos + 4, 2)
	p:add(tree, f.dport, pos + 6, 2)
	p:add(tree, f.number, pos + 8, 8)
	p:add(tree, f.snd_inc, pos + 16, 8)
	p:add(tree, f.rcv_inc, pos + 24, 8)

	local sport, dport = p.tvb(pos + 4, 2):uint(), p.tvb(pos + 6, 2):uint()
	if sport == 0 or dport == 0 then
		p:bad("Port 0")
	end
	if is_zero64(p.tvb(pos + 8, 8)) or is_zero64(p.tvb(pos + 16, 8)) then
		p:bad("Flow number or sender's incarnation 0")
	end
	p.info = p.info .. string.format(" Open %u->%u", sport, dport)
end

local function dissect_cookie_option(p, tree, pos)
	p:add(tree, f.cookie_time, pos + 4, 8)
	p:add(tree, f.cookie_mac, pos + 12, 8)
	p.info = p.info .. " Cookie"
end

local function dissect_from(p, tree, pos)
	p:add(tree, f.from_inc, pos + 4, 8)
	p:add(tree, f.token_time, pos + 12, 8)
	p:add(tree, f.token_mac, pos + 20, 8)
	if is_zero64(p.tvb(pos + 4, 8)) then
		p:bad("Sender's incarnation 0")
	end
	p.info = p.info .. " From"
end

local function dissect_ecn(p, tree, pos)
	p:add(tree, f.ect0, pos + 4, 4)
	p:add(tree, f.ect1, pos + 8, 4)
	p:add(tree, f.ce, pos + 12, 4)
end

local function dissect_also(p, tree, pos)
	p:add(tree, f.also_path, pos + 2, 2)
	p:add(tree, f.also_seq, pos + 4, 4)
	p:add(tree, f.also_map, pos + 8, 8)
	p:add(tree, f.also_owd, pos + 16, 4)
	p:add(tree, f.also_owd_mean, pos + 20, 4)
	p:add(tree, f.also_ack_delay, pos + 24, 4)
	p.info = p.info .. string.format(" Path=%u Seq=%u", p.tvb(pos + 2, 2):uint(),
					 p.tvb(pos + 4, 4):uint())
end

local known_options = {
	[0x81] = { len = 32, on = openers, dissect = dissect_open },
	[0x82] = { len = 20, on = openers, dissect = dissect_cookie_option },
	[0x87] = { len = 28, on = openers, dissect = dissect_from },
	[0x03] = { len = 16, on = acks, dissect = dissect_ecn },
	[0x08] = { len = 28, on = acks, dissect = dissect_also, often = true },
}

local function dissect_option(p, pos, kind, len)
	local name = options[kind] or "unknown"
	local tree = p.tree:add(lapsmp, p.tvb(pos, len), "Option: " .. name)
	local known = known_options[kind]
	local critical = kind >= 0x80

	p:add(tree, f.opt, pos, 1)
	p:add(tree, f.opt_len, pos + 1, 1)
	if known and not critical and not known.on[p.type] then
		known = nil
	end
	if not known then
		p:add(tree, f.opt_body, pos + 2, len - 2)
		if critical then
			p:unsupported("Unknown critical option")
		end
	elseif not known.on[p.type] then
		p:bad("Option does not belong to this type")
	elseif p.seen[kind] and not known.often then
		p:bad("Option given twice")
	elseif len ~= known.len then
		p:bad("Option has another length")
	else
		known.dissect(p, tree, pos)
	end
	p.seen[kind] = true
end

local function dissect_options(p, pos)
	while pos < p.hlen do
		local kind, len = p.tvb(pos, 1):uint(), p.tvb(pos + 1, 1):uint()

		if len < 4 or len % 4 ~= 0 or len > p.hlen - pos then
			p:bad("Length of an option")
			return
		end
		dissect_option(p, pos, kind, len)
		pos = pos + len
	end
	if p.seen[0x87] and (p.seen[0x81] or p.seen[0x82]) then
		p:bad("FROM with OPEN or COOKIE")
	elseif p.seen[0x82] and not p.seen[0x81] then
		p:bad("COOKIE without OPEN")
	end
end

local function dissect_common(p)
	local tvb, tree = p.tvb, p.tree

	p:add(tree, f.version, 0, 1)
	p:add(tree, f.type, 0, 1)
	p:add(tree, f.hlen, 1, 1)
	local flags = tree:add(f.flags, tvb(2, 1))
	p:add(flags, f.rtx, 2, 1)
	p:add(flags, f.acknow, 2, 1)
	p:add(flags, f.unordered, 2, 1)
	p:add(tree, f.path, 4, 2)
	p:add(tree, f.flow, 8, 8)
	p:add(tree, f.seq, 16, 4)
	p:add(tree, f.time, 20, 4)
	p.type = tvb(0, 1):bitfield(4, 4)
	p.hlen = tvb(1, 1):uint() * 4
end

-- The rest of a packet of our version, whose common header is there.
local function dissect_body(p)
	local total = p.tvb:reported_len()

	if p.type == 0 then
		return p:bad("Type 0")
	end
	if p.hlen < HDR_LEN or p.hlen > total then
		return p:bad("Header length")
	end
	p.rest = total - p.hlen
	p.tree:add(f.payload_len, p.rest):set_generated()
	if not fixed[p.type] then
		return p:unsupported("Unknown type")
	end
	if p.hlen < fixed[p.type] then
		return p:bad("Header shorter than its type")
	end
	p.info = dissect_fixed[p.type](p)
	dissect_options(p, fixed[p.type])
	if p.tvb:captured_len() > p.hlen then
		p.tree:add(p.type == T.DATA and f.payload or f.padding, p.tvb(p.hlen))
	end
end

local function dissect_packet(p)
	local total = p.tvb:reported_len()

	if total < INVARIANT_LEN then
		return p:bad("Shorter than any packet")
	end
	if is_zero64(p.tvb(8, 8)) then
		return p:bad("Flow 0")
	end
	if p.tvb(0, 1):bitfield(0, 4) ~= VERSION then
		p:add(p.tree, f.version, 0, 1)
		p:add(p.tree, f.flow, 8, 8)
		return p:unsupported("Another version")
	end
	if total < HDR_LEN then
		return p:bad("Shorter than the header")
	end
	dissect_common(p)
	dissect_body(p)
end

function lapsmp.dissector(tvb, pinfo, root)
	local tree = root:add(lapsmp, tvb())
	local p = setmetatable({ tvb = tvb, tree = tree, seen = {}, info = "" },
			       Packet)

	pinfo.cols.protocol = "lapsmp"
	pinfo.cols.info = "lapsmp"
	dissect_packet(p)

	local name = types[p.type] or "Packet"
	local where = ""
	if p.type then
		where = string.format(" Path=%u Seq=%u", tvb(4, 2):uint(),
				      tvb(16, 4):uint())
	end
	local verdict = p.verdict and string.format(" [%s]", p.verdict) or ""
	pinfo.cols.info = name .. where .. " " .. p.info .. verdict
	tree:append_text(", " .. name .. where)
	return tvb:captured_len()
end

local port

local function listen()
	local ports = DissectorTable.get("udp.port")

	if port == lapsmp.prefs.port then
		return
	end
	if port then
		ports:remove(port, lapsmp)
	end
	port = lapsmp.prefs.port
	ports:add(port, lapsmp)
end

lapsmp.prefs_changed = listen
listen()
