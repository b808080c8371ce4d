import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import {
  isAllowedHost,
  isPublicAddress,
  isRefusedLiteral,
  publicOnly,
  RefusedAddressError,
} from '../../../src/domain/messages/webhook/post/address-guard.ts';
import { problemOfUrl } from '../../../src/domain/messages/webhook/post/webhook-url.ts';

describe('addresses that webhooks do not go to', () => {
  it.each([
    ['0.0.0.0', 'this network'],
    ['10.1.2.3', 'private'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['100.100.100.200', "Alibaba's metadata"],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', "Azure's platform"],
    ['169.254.169.254', 'metadata'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', "Oracle's metadata"],
    ['192.0.2.1', 'documentation'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'benchmarks'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'IPv4-mapped'],
    ['::ffff:8.8.8.8', 'IPv4-mapped'],
    ['::ffff:7f00:1', 'IPv4-mapped'],
    ['::127.0.0.1', 'IPv4-compatible'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b:1::1', 'local NAT64'],
    ['100::1', 'discard'],
    ['2001::1', 'Teredo'],
    ['2001:db8::1', 'documentation'],
    ['2002:7f00:1::', '6to4'],
    ['3fff::1', 'documentation'],
    ['fc00::1', 'unique local'],
    ['fd00:ec2::254', "Amazon's metadata"],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['example.com', 'not an address'],
  ])('%s: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://2852039166/',
    'https://127.0.0.1./',
    'https://0/',
    'https://%31%32%37.0.0.1/',
    'https://１２７.０.０.１/',
    'https://[::]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::ffff:7f00:1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::10.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
  ])('in any spelling of a URL: %s', (url) => {
    expect(isRefusedLiteral(new URL(url))).toBe(true);
    expect(problemOfUrl(url, { environment: 'TEST', hostsAllowed: [] })).toMatch(/public internet/);
  });

  it('include names that resolve to one', async () => {
    const publicLookup = publicOnly(lookup as LookupFunction);
    const lookedUp = new Promise((resolve) => publicLookup('localhost', { all: true }, resolve));
    expect(await lookedUp).toBeInstanceOf(RefusedAddressError);
  });
});

it.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1'])(
  'webhooks do go to %s',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);

it('a host is allowed by name, or by name and port', () => {
  const allowed = (url: string, ...hosts: string[]) => isAllowedHost(new URL(url), hosts);
  expect(allowed('http://receiver:8080/', 'receiver')).toBe(true);
  expect(allowed('http://receiver:8080/', 'receiver:8080')).toBe(true);
  expect(allowed('http://receiver/', 'receiver:80')).toBe(true);
  expect(allowed('https://receiver/', 'receiver:443')).toBe(true);
  expect(allowed('http://receiver:8081/', 'receiver:8080')).toBe(false);
  expect(allowed('http://receiver.example/', 'receiver')).toBe(false);
});
