import { graphql } from './generated/gql.ts';

export const SIGN_IN_INPUT = graphql(`
  mutation SignInInput($address: String) {
    signInInput(address: $address) {
      domain address statement uri version chainId nonce issuedAt expirationTime
    }
  }
`);

export const SIGN_IN = graphql(`
  mutation SignIn($output: SignInOutput!) {
    signIn(output: $output) { memberId merchantId walletAddress role environment }
  }
`);

export const VIEWER = graphql(`
  query Viewer {
    viewer {
      walletAddress role environment merchantId
      merchant { companyName }
      memberships { merchantId role merchant { companyName } }
    }
  }
`);

export const UNCHECKED_RESTORE = graphql(`
  query UncheckedRestore {
    viewer { uncheckedRestore { number lostFrom lostUntil isCollecting } }
  }
`);

export const CONFIRM_RESTORE_CHECK = graphql(`
  mutation ConfirmRestoreCheck($number: Int!) {
    confirmRestoreCheck(number: $number) { number checkedAt }
  }
`);

export const SIGN_OUT = graphql(`mutation SignOut { signOut }`);

export const SIGN_OUT_EVERYWHERE = graphql(`mutation SignOutEverywhere { signOutEverywhere }`);

export const CHOOSE_MERCHANT = graphql(`
  mutation ChooseMerchant($merchantId: ID!) { chooseMerchant(merchantId: $merchantId) { merchantId role environment } }
`);

export const UPDATE_PROFILE = graphql(`
  mutation UpdateProfile($input: MerchantProfileInput!) {
    updateMerchantProfile(input: $input) { companyName logoUrl supportEmail walletAddress }
  }
`);

export const MEMBERS = graphql(`
  query Members($first: Int, $after: String) {
    members(first: $first, after: $after) {
      totalCount
      pageInfo { hasNextPage endCursor }
      edges { node { id walletAddress role createdAt } }
    }
  }
`);

export const INVITE_MEMBER = graphql(`
  mutation InviteMember($walletAddress: String!, $role: MemberRole!) {
    inviteMember(walletAddress: $walletAddress, role: $role) { id walletAddress role }
  }
`);

export const CHANGE_MEMBER_ROLE = graphql(`
  mutation ChangeMemberRole($id: ID!, $role: MemberRole!) { changeMemberRole(id: $id, role: $role) { id role } }
`);

export const REMOVE_MEMBER = graphql(`
  mutation RemoveMember($id: ID!) { removeMember(id: $id) { id } }
`);

export const AUDIT_LOG = graphql(`
  query AuditLog($action: String, $targetId: String, $actorId: ID, $first: Int, $after: String) {
    auditLog(action: $action, targetId: $targetId, actorId: $actorId, first: $first, after: $after) {
      pageInfo { hasNextPage endCursor }
      edges {
        node {
          id createdAt environment action targetId changes actor actorId actorName ipAddress userAgent requestId
        }
      }
    }
  }
`);

export const CAN_CREATE_MERCHANT = graphql(
  `query CanCreateMerchant($address: String!) { canCreateMerchant(address: $address) }`,
);

export const SIGN_UP_POLICY = graphql(`query SignUpPolicy { signUpPolicy }`);

export const CREATE_MERCHANT = graphql(`
  mutation CreateMerchant($companyName: String!, $output: SignInOutput) {
    createMerchant(companyName: $companyName, output: $output) {
      walletAddress role merchantId merchant { companyName walletAddress }
    }
  }
`);

export const SESSIONS = graphql(`
  query Sessions {
    viewer {
      sessions { id isCurrent createdAt idleUntil expiresAt ipAddress userAgent merchant { companyName } }
    }
  }
`);

export const END_MEMBER_SESSION = graphql(
  `mutation EndMemberSession($id: ID!) { endMemberSession(id: $id) }`,
);

export const RENAME_MEMBER = graphql(`
  mutation RenameMember($id: ID!, $name: String) { renameMember(id: $id, name: $name) { id name } }
`);

export const MEMBER_NAMES = graphql(`
  query MemberNames { members { edges { node { id name walletAddress } } } }
`);

export const AUDIT_RANGE = graphql(`
  query AuditRange($from: DateTime, $to: DateTime) {
    auditLog(from: $from, to: $to) { edges { node { action createdAt } } }
  }
`);

export const UPLOAD_LOGO = graphql(`
  mutation UploadLogo($png: String!) {
    uploadLogo(png: $png) { logoUrl }
  }
`);
